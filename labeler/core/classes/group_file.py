"""Read and check the rules of a group file; errors give the line of the file."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labeler.core.errors import InputError, RefusedError
from labeler.core.input_files import parse_json, require_regular_file

ALL = "all"

# Subsets that depend on what was judged of or measured on an image, not on its class.
IMAGE_SUBSETS = frozenset({"fast", "single_label", "multi_label", "problematic"})

_FILE_KEYS = ("group", "superclass", "partition")
_RULE_KEYS = ("name", "title", "include", "exclude", "plus", "minus")
_GROUP_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class GroupRule:
    """Which classes a group includes and excludes: subtrees by wnid, other groups by name."""

    name: str
    title: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()

    @property
    def wnids(self) -> tuple[str, ...]:
        return self.include + self.exclude

    @property
    def references(self) -> tuple[str, ...]:
        return self.plus + self.minus


@dataclass(frozen=True, slots=True)
class GroupFileText:
    """The text of a group file, used to find the line of an error."""

    file: Path
    text: str

    def error(self, problem: str, *, at: str | None = None) -> InputError:
        """An error at the first line that has `at` in quotes."""
        quoted = (f'"{at}"', f"'{at}'")
        numbered = enumerate(self.text.splitlines(), start=1)
        found = (n for n, line in numbered if at and any(q in line for q in quoted))
        return InputError(problem, file=self.file, line=next(found, None))


@dataclass(frozen=True, slots=True)
class GroupRules:
    """The rules of one file; with `partition`, its superclasses divide all classes."""

    source: GroupFileText
    groups: tuple[GroupRule, ...]
    superclasses: tuple[GroupRule, ...]
    partition: bool

    @property
    def all_rules(self) -> tuple[GroupRule, ...]:
        return self.groups + self.superclasses


def read_group_file(file: Path, *, known: AbstractSet[str] = frozenset()) -> GroupRules:
    """Read a TOML or JSON file; its rules may refer to the `known` groups but not redefine them."""
    source = GroupFileText(file, _read_text(file))
    rules = _from_json(source) if file.suffix.lower() == ".json" else _from_toml(source)
    if not rules.all_rules:
        raise source.error("the file defines no groups; add [[group]] or [[superclass]] tables.")
    if rules.partition and not rules.superclasses:
        raise source.error("`partition` is true, but there is no [[superclass]] to divide into.")
    _check_names(rules, known)
    _check_references(rules, known)
    return rules


def _read_text(file: Path) -> str:
    require_regular_file(file)
    try:
        # Some editors put a byte order mark in front; "utf-8-sig" reads with and without.
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RefusedError(f"The group file '{file}' can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8 text; save it as UTF-8.", file=file) from error


def _from_toml(source: GroupFileText) -> GroupRules:
    try:
        document = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else None
        problem = f"not valid TOML: {_PLACE.sub('', str(error))}."
        raise InputError(problem, file=source.file, line=line) from error
    _check_keys(document, _FILE_KEYS, of="a group file", source=source)
    partition = document.get("partition", False)
    if not isinstance(partition, bool):
        raise source.error("`partition` must be true or false.")
    return GroupRules(
        source=source,
        groups=tuple(_rules(document, "group", source)),
        superclasses=tuple(_rules(document, "superclass", source)),
        partition=partition,
    )


def _from_json(source: GroupFileText) -> GroupRules:
    """Return the rules of a JSON file in the published form: superclass names and their wnids."""
    # Objects are parsed as tuples of pairs, so that a duplicate name isn't lost.
    pairs = parse_json(source.text, file=source.file, pairs=tuple)
    if not isinstance(pairs, tuple):
        raise source.error('not a JSON object like {"Cats": ["n02123045"]}.')
    superclasses = tuple(_rule({"name": name, "include": wnids}, source) for name, wnids in pairs)
    return GroupRules(source=source, groups=(), superclasses=superclasses, partition=False)


def _rules(document: Mapping[str, Any], key: str, source: GroupFileText) -> Iterator[GroupRule]:
    entries = document.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise source.error(f"`{key}` must be written as [[{key}]] tables.")
    return (_rule(entry, source) for entry in entries)


def _rule(entry: Mapping[str, Any], source: GroupFileText) -> GroupRule:
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise source.error("a group has no name; give every group a `name` in quotes.")
    _check_keys(entry, _RULE_KEYS, of=f"the group '{name}'", source=source)
    title = entry.get("title", name)
    if not isinstance(title, str):
        raise source.error(f"the title of '{name}' must be text in quotes.", at=name)
    lists = {key: _strings(entry, key, name, source) for key in _RULE_KEYS[2:]}
    if not lists["include"] and not lists["plus"]:
        problem = f"'{name}' is empty; add wnids to `include` or groups to `plus`."
        raise source.error(problem, at=name)
    return GroupRule(name=name, title=title, **lists)


def _strings(
    entry: Mapping[str, Any], key: str, name: str, source: GroupFileText
) -> tuple[str, ...]:
    values = entry.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise source.error(f"`{key}` of '{name}' must be a list of strings.", at=name)
    return tuple(values)


def _check_keys(
    table: Mapping[str, Any], allowed: Iterable[str], *, of: str, source: GroupFileText
) -> None:
    unknown = sorted(table.keys() - set(allowed))
    if unknown:
        keys = ", ".join(allowed)
        raise source.error(f"'{unknown[0]}' is not a key of {of}; the keys are {keys}.")


def _check_names(rules: GroupRules, known: AbstractSet[str]) -> None:
    for kind in (rules.groups, rules.superclasses):
        names = [rule.name for rule in kind]
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise rules.source.error(f"the name '{duplicate}' is used twice.", at=duplicate)
    for name in (rule.name for rule in rules.groups):
        if name in known | IMAGE_SUBSETS | {ALL}:
            problem = f"the name '{name}' is reserved; choose another."
            raise rules.source.error(problem, at=name)
        if not _GROUP_NAME.fullmatch(name):
            problem = f"the name '{name}' may only have a-z, 0-9 and _; use `title` for the rest."
            raise rules.source.error(problem, at=name)


def _check_references(rules: GroupRules, known: AbstractSet[str]) -> None:
    own = {rule.name: rule for rule in rules.groups}
    for rule in rules.all_rules:
        for name in rule.references:
            if name not in own and name not in known and name != ALL:
                names = ", ".join(sorted({ALL, *known, *own}))
                problem = (
                    f"'{rule.name}' refers to '{name}', which is not a group; "
                    f"the groups are {names}."
                )
                raise rules.source.error(problem, at=name)
    for rule in rules.groups:
        _check_cycle(rule.name, own, (), rules.source)


def _check_cycle(
    name: str, own: Mapping[str, GroupRule], above: tuple[str, ...], source: GroupFileText
) -> None:
    if name in above:
        cycle = " → ".join((*above[above.index(name) :], name))
        raise source.error(f"groups refer to each other in a cycle: {cycle}.", at=name)
    for reference in own[name].references if name in own else ():
        _check_cycle(reference, own, (*above, name), source)
