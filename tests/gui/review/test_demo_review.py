"""On the demo, truthful reviewers clear the plan both ways, and the truth is what comes out."""

import csv
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from PySide6.QtCore import QSettings, Qt

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.study.people import add_person
from labeler.app.study.phases import open_phase
from labeler.core.study.entities import ImageKey, ResolutionRule, Role, Stage
from labeler.core.study.phases import Phase
from labeler.demo.pictures import TRUTH_FILE
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_opening import open_study
from labeler.ui.window.navigation import LaunchRequest
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import Reviewing
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import CONTROL, WindowSession
from tests.shared_demo import shared_demo

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

BY_IMAGE, BY_CLASS = "R", "R2"
Truth = dict[ImageKey, frozenset[str]]


def read_truth(study: Path) -> Truth:
    labels: dict[ImageKey, set[str]] = defaultdict(set)
    with (study / TRUTH_FILE).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            labels[ImageKey(row["dataset"], row["image"])].add(row["label"])
    return {image: frozenset(found) for image, found in labels.items()}


def have_models_guess(study: Path, folder: Path, truth: Truth) -> None:
    """Models that together name everything in every picture, and one that is always wrong."""
    folder.mkdir()
    most = max(map(len, truth.values()))
    every = sorted({label for labels in truth.values() for label in labels})
    guesses = []
    for number, (image, labels) in enumerate(sorted(truth.items())):
        known = sorted(labels)
        for model in range(most):
            guesses.append((f"m{model}", image, known[model % len(known)]))
        wrong = next(w for w in every[number % len(every) :] + every if w not in labels)
        guesses.append(("wrong", image, wrong))
    models = sorted({model for model, *_ in guesses})
    people = "".join(f"{model},model,\n" for model in models)
    (folder / "participants.csv").write_text(f"participant,kind,description\n{people}")
    header = (
        "participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,"
        "escape_hatch,alternative\n"
    )
    rows = "".join(
        f"{model},{image.dataset},{image.image},1,{label},,,,,0,\n"
        for model, image, label in guesses
    )
    (folder / "predictions.csv").write_text(header + rows)
    with open_study(study, clock=AdjustableClock()) as store:
        import_exchange(store, folder)
        add_person(store, BY_CLASS, roles=[Role.REVIEWER])
        plan_review(store, PlanSettings(stage=Stage.INITIAL, overlap=2, sample_only=True))
        open_phase(store, Phase.ANNOTATE)


@pytest.fixture
def study(tmp_path: Path) -> SmallStudy:
    path = Path(shutil.copytree(shared_demo(), tmp_path / "demo", symlinks=True))
    have_models_guess(path, tmp_path / "guesses", read_truth(path))
    return SmallStudy(path)


def truth_by_visit(study: SmallStudy, truth: Truth) -> dict[str, frozenset[str]]:
    """What is in the picture of each visit, which only a test may know."""
    rows = study.read(
        "SELECT review_visit.id, dataset.name, image.name FROM review_visit"
        " JOIN image ON image.id = image_id JOIN dataset ON dataset.id = dataset_id"
    )
    return {str(UUID(visit)): truth[ImageKey(dataset, image)] for visit, dataset, image in rows}


def test_truthful_verdicts_by_image_and_by_class_resolve_to_the_truth(
    study: SmallStudy, open_session: Callable[..., WindowSession], settings: QSettings
) -> None:
    truth = read_truth(study.folder)
    known = truth_by_visit(study, truth)
    first = Reviewing(open_session(LaunchRequest(study=study.folder)))
    first.begin(BY_IMAGE, phase=Phase.ANNOTATE)
    first.judge_images(
        lambda wnid: (
            Qt.Key.Key_1 if wnid in known[first.by_image._view.visit_id or ""] else Qt.Key.Key_2
        )
    )
    first.wait_for_end()
    first.session.press(Qt.Key.Key_Q, CONTROL)
    settings.clear()
    second = Reviewing(open_session(LaunchRequest(study=study.folder)))
    second.begin(BY_CLASS, phase=Phase.ANNOTATE)
    second.go_by_class()
    second.judge_classes(lambda wnid: _tile_key(second, known, wnid))
    second.wait_for_end()
    second.session.press(Qt.Key.Key_Q, CONTROL)
    with open_study(study.folder, clock=AdjustableClock()) as store:
        report = resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule.UNANIMOUS))
        with store.read() as read:
            resolved = read.review.resolutions.correct_labels()
            sampled = read.samples.images()
    assert (report.resolution.open, report.resolution.unsettled) == (0, 0)
    assert resolved == {image: truth[image] for image in sampled}


def _tile_key(reviewing: Reviewing, known: dict[str, frozenset[str]], wnid: str) -> Qt.Key:
    screen = reviewing.by_class
    visit = screen._view.tiles[screen.grid.current].visit_id
    return Qt.Key.Key_1 if wnid in known[visit] else Qt.Key.Key_2
