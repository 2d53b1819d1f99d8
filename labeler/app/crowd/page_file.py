"""The page of annotators' tasks in a browser: one file with its style, script and texts."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from labeler.app.crowd.annotator_session import (
    ClassifyQuestion,
    ContainsQuestion,
    LabelText,
)
from labeler.core.errors import InputError
from labeler.core.input_files import require_regular_file
from labeler.core.labeling.active_time import IDLE_AFTER_MS
from labeler.locations import RESOURCES

TEXTS_FILE = RESOURCES / "crowd" / "texts.json"
_PAGE = RESOURCES / "crowd" / "page.html"


def page_texts(translation: Path | None = None) -> dict[str, str]:
    """Return the texts of the page, translated by a file with the same names."""
    known: dict[str, str] = json.loads(TEXTS_FILE.read_text("utf-8"))
    if translation is None:
        return known
    require_regular_file(translation)
    try:
        given = json.loads(translation.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The file isn't valid JSON: {error}.", file=translation) from error
    if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
        raise InputError("The file must hold an object of texts.", file=translation)
    wrong = sorted(set(given) ^ set(known))
    if wrong:
        problem = "is missing" if wrong[0] in known else "isn't a text of the page"
        raise InputError(f"'{wrong[0]}' {problem}.", file=translation)
    return given


def render_page(setup: Mapping[str, Any], texts: Mapping[str, str], *, service: str = "") -> str:
    """Return the page; `service` is the form of a crowd service."""
    page = _PAGE.read_text("utf-8")
    page = page.replace("<!-- SERVICE -->", service)
    page = page.replace("/*TEXTS*/", _script_json(texts))
    return page.replace("/*SETUP*/", _script_json({"idle_ms": IDLE_AFTER_MS, **setup}))


def contains_json(question: ContainsQuestion) -> dict[str, Any]:
    """Return a grid as the page takes it."""
    task = question.task
    own = None if task.selected is None else {"selected": sorted(task.selected)}
    return {
        "id": task.id,
        "count": len(task.positions),
        "label": label_json(question.label),
        "draft": task.draft,
        "own": own,
        "test": question.is_test,
    }


def classify_json(question: ClassifyQuestion) -> dict[str, Any]:
    """Return an image with its labels as the page takes it."""
    task = question.task
    own = None if task.ticked is None else {"labels": sorted(task.ticked), "main": task.main}
    return {
        "id": task.id,
        "labels": [label_json(label) for label in question.labels],
        "references": question.references,
        "draft": task.draft,
        "own": own,
    }


def label_json(label: LabelText) -> dict[str, Any]:
    return asdict(label)


def _script_json(value: object) -> str:
    """Return JSON that can't end the script element it is in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
