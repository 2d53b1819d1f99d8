"""The order of the steps: unfinished steps come first, and only one step is next."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.study.check import CheckFinding, StudyProblem
from labeler.app.study.setup.check import problem_groups
from labeler.app.study.setup.confirmations import NOTHING_KEPT, PART_KEPT, leaving_confirmation
from labeler.app.study.setup.datasets import FOLDER_MISSING
from labeler.app.study.setup.facts import SetupFacts, read_setup_facts
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.steps import (
    SetupStepView,
    next_button_text,
    next_setup_step,
    setup_step_views,
)
from labeler.core.study.entities import DatasetRole
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock


@pytest.fixture
def facts(healthy: Path, clock: AdjustableClock) -> Iterator[SetupFacts]:
    """A study with images, references, training images, a labeler, a reviewer and a sample."""
    with open_study(healthy, clock=clock) as store:
        yield read_setup_facts(store)


def with_half(facts: SetupFacts, name: str) -> SetupFacts:
    halves = (replace(one, complete=one.name != name) for one in facts.datasets)
    return replace(facts, datasets=tuple(halves))


def view_of(views: tuple[SetupStepView, ...], step: SetupStep) -> SetupStepView:
    return next(view for view in views if view.step is step)


def test_an_interrupted_import_causes_a_warning_and_comes_first(facts: SetupFacts) -> None:
    views = setup_step_views(with_half(facts, "references"))
    warned = view_of(views, SetupStep.REFERENCES)
    assert warned.warns
    assert warned.sentence == "references interrupted"
    assert next_setup_step(views) is SetupStep.REFERENCES
    assert [view.step for view in views if view.warns] == [SetupStep.REFERENCES]


def test_a_missing_folder_causes_a_warning(facts: SetupFacts) -> None:
    views = setup_step_views(replace(facts, missing=frozenset({"val"})))
    warned = view_of(views, SetupStep.IMAGES)
    assert (warned.warns, warned.done) == (True, True)
    assert warned.sentence == f"val: {FOLDER_MISSING}"


def test_the_next_button_marks_optional_steps(
    facts: SetupFacts,
) -> None:
    whole = setup_step_views(facts)
    assert (
        next_button_text(SetupStep.IMAGES, SetupStep.REFERENCES, whole) == "Next: Reference images"
    )
    only = tuple(one for one in facts.datasets if one.role is DatasetRole.EVALUATION)
    bare = setup_step_views(replace(facts, datasets=only))
    assert (
        next_button_text(SetupStep.IMAGES, SetupStep.REFERENCES, bare)
        == "Next: Reference images (optional)"
    )
    assert next_button_text(SetupStep.PEOPLE, SetupStep.SETTINGS, whole) == "Next: Study settings"
    undrawn = setup_step_views(replace(facts, sample=None))
    assert view_of(undrawn, SetupStep.SAMPLE).is_next
    assert next_button_text(SetupStep.SETTINGS, SetupStep.SAMPLE, undrawn) == "Next: Sample"


def test_problems_are_grouped_by_dataset() -> None:
    role = DatasetRole.EVALUATION
    groups = problem_groups(
        CheckFinding(StudyProblem.MISSING, f"{name}: 1 isn't there.", role, name)
        for name in ("val", "new")
    )
    assert [(group.step, group.dataset) for group in groups] == [
        (SetupStep.IMAGES, "val"),
        (SetupStep.IMAGES, "new"),
    ]


def test_leaving_says_what_is_kept() -> None:
    part = leaving_confirmation("Adding val", atomic=False)
    assert "Adding val is in progress" in part.words
    assert PART_KEPT in part.words
    assert NOTHING_KEPT in leaving_confirmation("Writing", atomic=True).words
