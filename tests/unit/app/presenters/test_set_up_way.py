"""The way through the set-up: what is half done comes first, and only one step is the next."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.study.check import Ailment, Finding
from labeler.app.study.setup.check import found_groups
from labeler.app.study.setup.confirmations import before_leaving
from labeler.app.study.setup.facts import SetUpFacts, set_up_facts
from labeler.app.study.setup.steps import (
    Step,
    StepView,
    next_step,
    onward_words,
    step_views,
)
from labeler.core.study.entities import DatasetRole
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock


@pytest.fixture
def facts(healthy: Path, clock: AdjustableClock) -> Iterator[SetUpFacts]:
    """Images, references, training images, a labeler, a reviewer and a sample are there."""
    with open_study(healthy, clock=clock) as store:
        yield set_up_facts(store)


def with_half(facts: SetUpFacts, name: str) -> SetUpFacts:
    halves = (replace(one, complete=one.name != name) for one in facts.datasets)
    return replace(facts, datasets=tuple(halves))


def view_of(views: tuple[StepView, ...], step: Step) -> StepView:
    return next(view for view in views if view.step is step)


def test_what_was_interrupted_is_warned_of_and_gone_to_first(facts: SetUpFacts) -> None:
    views = step_views(with_half(facts, "references"))
    warned = view_of(views, Step.REFERENCES)
    assert warned.warns
    assert warned.sentence == "references interrupted"
    assert next_step(views) is Step.REFERENCES
    assert [view.step for view in views if view.warns] == [Step.REFERENCES]


def test_a_folder_that_is_gone_is_warned_of(facts: SetUpFacts) -> None:
    views = step_views(replace(facts, missing=frozenset({"val"})))
    warned = view_of(views, Step.IMAGES)
    assert (warned.warns, warned.done) == (True, True)
    assert warned.sentence == "the folder of val isn't there"


def test_the_button_calls_next_only_what_is_left_and_marks_what_is_optional(
    facts: SetUpFacts,
) -> None:
    whole = step_views(facts)
    assert onward_words(Step.IMAGES, Step.REFERENCES, whole) == "On to: Reference images"
    only = tuple(one for one in facts.datasets if one.role is DatasetRole.EVALUATION)
    bare = step_views(replace(facts, datasets=only))
    assert onward_words(Step.IMAGES, Step.REFERENCES, bare) == "Next: Reference images (optional)"
    assert onward_words(Step.PEOPLE, Step.SETTINGS, whole) == "On to: Study settings"
    undrawn = step_views(replace(facts, sample=None))
    assert view_of(undrawn, Step.SAMPLE).is_next
    assert onward_words(Step.SETTINGS, Step.SAMPLE, undrawn) == "Next: Sample"


def test_what_is_wrong_leads_to_the_dataset_that_it_is_about() -> None:
    role = DatasetRole.EVALUATION
    groups = found_groups(
        Finding(Ailment.MISSING, f"{name}: 1 isn't there.", role, name) for name in ("val", "new")
    )
    assert [(group.step, group.dataset) for group in groups] == [
        (Step.IMAGES, "val"),
        (Step.IMAGES, "new"),
    ]


def test_whoever_leaves_is_told_what_is_kept() -> None:
    part = before_leaving("Adding val", whole=False)
    assert "Adding val is under way" in part.words
    assert "What was done so far is kept" in part.words
    assert "Nothing of it is kept" in before_leaving("Writing", whole=True).words
