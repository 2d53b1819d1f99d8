"""Write crowd tasks for a static web server or a crowd service, with a key that stays home."""

import csv
import hashlib
import hmac
import html
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from labeler.app.crowd.annotator_session import AnnotatorSession, LabelText, common_size_jpeg
from labeler.app.crowd.page_file import label_json, render_page
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.hash_order import shuffled
from labeler.core.study.entities import ImageKey
from labeler.images.atomic_write import write_atomically
from labeler.store.study_store import StudyStore, Transaction

# Crowd services limit a question to this size.
SERVICE_LIMIT = 64 * 1024
_WIKIPEDIA = "https://en.wikipedia.org/wiki/Special:Search?search="
NO_ROUNDS = "No crowd round is open. Plan one first."
NOT_EMPTY = "The folder isn't empty. Choose a new one, so that no older task stays in it."


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageTask:
    """A task with its token, its labels, and the files of its images by token."""

    token: str
    kind: CrowdTask
    labels: tuple[LabelText, ...]
    images: Mapping[str, ImageFile]
    key: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskExport:
    """What was written, by kind of task, and images that can't be shown."""

    tasks: Mapping[CrowdTask, int]
    images: int
    missing_images: int


def export_tasks(
    store: StudyStore,
    folder: Path,
    *,
    texts: Mapping[str, str],
    image_base: str | None = None,
    post_to: str | None = None,
) -> TaskExport:
    """Write the tasks of all open rounds.

    With `image_base`, the pages are questions of a crowd service that finds the images there.
    """
    if folder.exists() and any(folder.iterdir()):
        raise RefusedError(NOT_EMPTY)
    texts_of = AnnotatorSession(store, "").label_text
    with store.write() as study:
        secret = study.crowd_links.study_secret()
    with store.read() as study:
        tasks = list(_tasks(study, secret, texts_of))
    if not tasks:
        raise RefusedError(NO_ROUNDS)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    missing = sum(_write_images(folder / "images", task) for task in tasks)
    for kind in CrowdTask:
        own = [task for task in tasks if task.kind is kind]
        if own:
            _write_page(folder, kind, own, texts, image_base=image_base, post_to=post_to)
    key = {task.token: task.key for task in tasks}
    write_atomically(key_file(folder), json.dumps(key, indent=1).encode())
    # A web server that serves the folder above as well mustn't be able to read it.
    key_file(folder).chmod(0o600)
    return TaskExport(
        tasks={kind: sum(task.kind is kind for task in tasks) for kind in CrowdTask},
        images=sum(len(task.images) for task in tasks) - missing,
        missing_images=missing,
    )


def key_file(folder: Path) -> Path:
    """Return the file that maps tokens; outside the folder, which may be published whole."""
    return folder.absolute().parent / f"{folder.absolute().name}-key.json"


def task_token(secret: bytes, *parts: str) -> str:
    """Return the token of a task or image: random to everyone without the study's secret."""
    return hmac.new(secret, "\0".join(parts).encode(), hashlib.sha256).hexdigest()[:24]


def _tasks(
    study: Transaction, secret: bytes, texts: Callable[[str], LabelText]
) -> Iterator[_PageTask]:
    grids = study.crowd.grids()
    rounds = [each for each in study.crowd_rounds.all() if each.is_open]
    shown = {
        grid: grids[grid]
        for each in rounds
        if each.task is CrowdTask.CONTAINS
        for grid in study.crowd_rounds.grid_ids(each.id)
    }
    asked = {
        image: labels
        for each in rounds
        if each.task is CrowdTask.CLASSIFY
        for image, labels in study.crowd_rounds.image_labels(each.id).items()
    }
    keys = {i.image for grid in shown.values() for i in grid.images.values()} | set(asked)
    files = study.crowd_qualifications.files(keys)
    for grid_id, grid in shown.items():
        tokens = {
            task_token(secret, "image", grid_id, str(place)): (place, grid.images[place].image)
            for place in sorted(grid.images)
        }
        yield _PageTask(
            token=task_token(secret, "grid", grid_id),
            kind=CrowdTask.CONTAINS,
            labels=(texts(grid.label),),
            images={t: files[key] for t, (_place, key) in tokens.items() if key in files},
            key={"grid": grid_id, "tokens": {t: place for t, (place, _k) in tokens.items()}},
        )
    for image, labels in sorted(asked.items()):
        yield _classify_task(secret, image, labels, texts, files)


def _classify_task(
    secret: bytes,
    image: ImageKey,
    labels: tuple[str, ...],
    texts: Callable[[str], LabelText],
    files: Mapping[ImageKey, ImageFile],
) -> _PageTask:
    token = task_token(secret, "classify", image.dataset, image.image)
    order = shuffled(labels, seed=0, purpose=token, key=lambda label: (label,))
    picture = task_token(secret, "image", token)
    return _PageTask(
        token=token,
        kind=CrowdTask.CLASSIFY,
        labels=tuple(map(texts, order)),
        images={picture: files[image]} if image in files else {},
        key={"dataset": image.dataset, "image": image.image, "labels": order},
    )


def _write_images(folder: Path, task: _PageTask) -> int:
    """Write a task's images and return how many can't be read."""
    missing = 0
    for token, file in task.images.items():
        try:
            (folder / f"{token}.jpg").write_bytes(common_size_jpeg(file))
        except RefusedError:
            missing += 1
    return missing


def _tokens(task: _PageTask) -> list[str]:
    """Return the tokens of a task's images in the order in which they are shown."""
    return list(task.key["tokens"]) if task.kind is CrowdTask.CONTAINS else list(task.images)


def _write_page(
    folder: Path,
    kind: CrowdTask,
    tasks: list[_PageTask],
    texts: Mapping[str, str],
    *,
    image_base: str | None,
    post_to: str | None,
) -> None:
    setup = {"kind": str(kind), "page": str(kind), "post_to": post_to}
    if image_base is None:
        page = render_page(
            {**setup, "image_base": "images/", "tasks": [_task_json(task) for task in tasks]}, texts
        )
    else:
        base = image_base.rstrip("/") + "/"
        page = render_page(
            {**setup, "image_base": base, "service": True, "tasks": []},
            texts,
            service=_service_form(kind),
        )
        if len(page.encode()) > SERVICE_LIMIT:
            raise RefusedError("The page is larger than the 64 kB that crowd services accept.")
    names = {CrowdTask.CONTAINS: ("task.html", "tasks.csv")}
    page_name, list_name = names.get(kind, (f"{kind}.html", f"{kind}_tasks.csv"))
    write_atomically(folder / page_name, page.encode())
    _write_list(folder / list_name, kind, tasks, escaped=image_base is not None)


def _task_json(task: _PageTask) -> dict[str, Any]:
    shared = {"id": task.token, "tokens": _tokens(task), "draft": ""}
    if task.kind is CrowdTask.CONTAINS:
        return {**shared, "count": len(_tokens(task)), "label": label_json(task.labels[0])}
    return {**shared, "labels": [label_json(label) for label in task.labels]}


def _write_list(file: Path, kind: CrowdTask, tasks: list[_PageTask], *, escaped: bool) -> None:
    """Write the tasks for upload; a service puts the cells into the page as they are."""
    clean = html.escape if escaped else str
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        if kind is CrowdTask.CONTAINS:
            writer.writerow(["task", "names", "gloss", "address", "tokens"])
        else:
            writer.writerow(["task", "labels", "tokens"])
        for task in tasks:
            tokens = "|".join(_tokens(task))
            if kind is CrowdTask.CONTAINS:
                label = task.labels[0]
                names = ", ".join((label.name, *label.other_names))
                address = _WIKIPEDIA + quote(label.name)
                writer.writerow([task.token, clean(names), clean(label.gloss), address, tokens])
            else:
                labels = json.dumps([label_json(label) for label in task.labels])
                writer.writerow([task.token, clean(labels), tokens])


def _service_form(kind: CrowdTask) -> str:
    """Return the variables that a service fills in, and the form that it receives."""
    columns = {
        CrowdTask.CONTAINS: ("task", "names", "gloss", "address", "tokens"),
        CrowdTask.CLASSIFY: ("task", "labels", "tokens"),
    }[kind]
    fields = {
        CrowdTask.CONTAINS: ("selected",),
        CrowdTask.CLASSIFY: ("labels", "main"),
    }[kind]
    given = "".join(f'<div hidden data-given="{name}">${{{name}}}</div>' for name in columns)
    inputs = "".join(
        f'<input type="hidden" name="{name}">'
        for name in ("assignmentId", "task", *fields, "state", "active_seconds", "submitted_at")
    )
    action = "https://www.mturk.com/mturk/externalSubmit"
    return f'{given}<form id="service" method="post" action="{action}">{inputs}</form>'
