"""A suspicious annotator who looks at everything but the images can't find the controls."""

import json
from collections import Counter, defaultdict
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from scipy import stats

from labeler.app.crowd.annotator_session import IMAGE_SIDE, AnnotatorSession
from labeler.app.crowd.page_file import page_texts
from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.crowd.task_export import export_tasks
from labeler.app.study.people import add_person
from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey, Role
from tests.crowd_study import CLASSES

# With some dozens of comparisons, chance alone stays above this.
UNLIKELY = 1e-4
RULES = GridRules(images=16, positive=3, negative=3)


@pytest.fixture
def large_study(store, pictures, imported):
    """A study with a round of fifteen grids."""
    for name, role in (("val", DatasetRole.EVALUATION), ("ref", DatasetRole.REFERENCE)):
        imported(store, name, pictures(name).fill(*CLASSES, each=50).path, role=role)
    add_person(store, "K", roles=[Role.ANNOTATOR])
    request = RoundRequest(
        task=CrowdTask.CONTAINS,
        labels=LabelChoice.TARGET,
        seed=1,
        rules=RULES,
        answers=2,
        qualification=0,
    )
    store_plan(store, plan_round(store, request))
    return store


def seen_features(folder, tokens: list[str]) -> dict[str, list[float]]:
    """What can be measured of a page's images without looking at them."""
    files = [folder / "images" / f"{token}.jpg" for token in tokens]
    pictures = [Image.open(BytesIO(file.read_bytes())) for file in files]
    assert all(not picture.getexif() and "comment" not in picture.info for picture in pictures)
    assert all(max(picture.size) == IMAGE_SIDE for picture in pictures)
    return {
        "position": list(range(len(tokens))),
        "bytes": [file.stat().st_size for file in files],
        "width": [picture.width for picture in pictures],
        "height": [picture.height for picture in pictures],
        "written": [file.stat().st_mtime_ns for file in files],
        "token": [int(token, 16) / 16 ** len(token) for token in tokens],
        "token length": [len(token) for token in tokens],
    }


def test_nothing_around_the_images_differs_between_controls_and_candidates(large_study, tmp_path):
    folder = tmp_path / "pages"
    export_tasks(large_study, folder, texts=page_texts())
    with large_study.read() as study:
        grids = study.crowd.grids()
    key = json.loads((tmp_path / "pages-key.json").read_text())
    values: dict[str, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for task in key.values():
        tokens = sorted(task["tokens"], key=task["tokens"].__getitem__)
        shown = grids[task["grid"]].images
        is_control = [shown[p].role is not GridRole.CANDIDATE for p in sorted(shown)]
        for name, measured in seen_features(folder, tokens).items():
            # Ranks within the grid: what someone can compare who sees one grid.
            for control, rank in zip(is_control, stats.rankdata(measured), strict=True):
                values[name][control].append(float(rank))
    assert min(len(found) for found in values["bytes"].values()) > 80
    for name, found in values.items():
        assert _p_value(found[True], found[False]) > UNLIKELY, name


def test_an_image_takes_no_longer_because_its_own_file_is_large(large_study, tmp_path):
    session = AnnotatorSession(large_study, "K")
    task = session.next_contains().task
    session.picture(task.id, 1)
    # All images are made with the first one: the others need no file any more.
    (tmp_path / "pictures").rename(tmp_path / "moved")
    shown = [session.picture(task.id, position) for position in task.positions]
    assert all(shown)
    with pytest.raises(RefusedError):
        AnnotatorSession(large_study, "K").picture(task.id, 1)


def test_the_test_would_find_controls_that_come_first():
    first, last = [1.0, 2.0, 3.0] * 15, [float(n) for n in range(4, 17)] * 15
    assert _p_value(first, last) < UNLIKELY


def _p_value(controls: list[float], candidates: list[float]) -> float:
    if np.ptp([*controls, *candidates]) == 0:
        return 1.0
    return float(stats.mannwhitneyu(controls, candidates).pvalue)


def test_an_annotator_meets_no_image_twice_that_would_tell_controls_by_repetition(large_study):
    session = AnnotatorSession(large_study, "K")
    seen: Counter[ImageKey] = Counter()
    roles: dict[ImageKey, set[GridRole]] = defaultdict(set)
    grids = 0
    while (question := session.next_contains()) is not None:
        with large_study.read() as study:
            row = study.crowd_assignments._own("K", question.task.id)
            grid = study.crowd.grids()[row.grid_id]
        for shown in grid.images.values():
            seen[shown.image] += 1
            roles[shown.image].add(shown.role)
        session.submit_contains(question.task.id, (), active_ms=1)
        grids += 1
    assert grids > 5
    assert all(count == 1 for image, count in seen.items() if roles[image] != {GridRole.CANDIDATE})
    # An image to judge isn't a control elsewhere, which would give it away.
    assert all(len(found) == 1 for found in roles.values())
