"""What to type is apart from the sentences that the window shows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import labeler

PACKAGE = Path(labeler.__file__).parent
# The window's screens and whatever they ask; the commands may name each other.
ASKED_BY_THE_WINDOW = ("app", "core", "guide", "images", "scoring", "store", "ui", "wordnet")
# What to type is in constants of these names, or of names that end in _COMMAND.
KEPT_APART = {
    "by_command",
    "typed",
    "_COMMAND_HINTS",
    "_RESTORING",
    "_REMEDIES",
    "_OTHER_TABLES",
    "_OTHERWISE",
}
COMMANDS = ("`labeler ", "“labeler ", "`--", "`pip ")


def _is_kept_apart(target: ast.expr) -> bool:
    if not isinstance(target, ast.Name):
        return False
    return target.id in KEPT_APART or target.id.endswith("_COMMAND")


def _shown_strings(node: ast.AST) -> Iterator[ast.Constant]:
    """Every string but docstrings and what is kept apart."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.keyword) and node.arg in KEPT_APART:
        return
    if isinstance(node, ast.Assign) and any(map(_is_kept_apart, node.targets)):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _shown_strings(child)


def test_no_sentence_that_the_window_may_show_tells_somebody_to_type_a_command() -> None:
    result = [
        f"{file.relative_to(PACKAGE)}:{string.lineno}: {string.value}"
        for part in ASKED_BY_THE_WINDOW
        for file in sorted((PACKAGE / part).rglob("*.py"))
        for string in _shown_strings(ast.parse(file.read_text(encoding="utf-8")))
        if any(command in str(string.value) for command in COMMANDS)
    ]

    assert result == []
