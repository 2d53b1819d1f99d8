"""The steps of Set up, which settings can change, and the confirmations."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.study.check import CheckFinding, StudyProblem
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.setting_definitions import ASKS_CONFIDENCE, IDLE_SECONDS, SHOWS_FREQUENCIES
from labeler.app.study.setup.check import problem_groups
from labeler.app.study.setup.confirmations import (
    BACKUP_FIRST,
    FILES_STAY,
    LOCKING_EFFECTS,
    REFERENCES_LOST,
    locking_confirmation,
    opening_confirmation,
    removal_confirmation,
    replacement_confirmation,
)
from labeler.app.study.setup.facts import SetupFacts, read_setup_facts
from labeler.app.study.setup.people import progress_rows
from labeler.app.study.setup.settings import EVALUATION_NOTICE, study_settings_view
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.steps import next_setup_step, setup_step_views, step_after
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock


@pytest.fixture
def ready(healthy: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    """A study with images, references, training images, a labeler, a reviewer and a sample."""
    with open_study(healthy, clock=clock) as store:
        yield store


@pytest.fixture
def facts(ready: StudyStore) -> SetupFacts:
    return read_setup_facts(ready)


def test_an_empty_study_needs_images_first(store: StudyStore) -> None:
    views = setup_step_views(read_setup_facts(store))
    assert next_setup_step(views) is SetupStep.IMAGES
    assert [view.step for view in views if view.is_next] == [SetupStep.IMAGES]
    assert step_after(SetupStep.IMAGES, views) is None
    assert step_after(SetupStep.REFERENCES, views) is SetupStep.TRAINING, "a study can do without"
    assert step_after(SetupStep.FILES, views) is None


def test_finished_steps_lead_to_the_next(facts: SetupFacts) -> None:
    views = setup_step_views(facts)
    assert next_setup_step(views) is SetupStep.PHASES
    assert step_after(SetupStep.IMAGES, views) is SetupStep.REFERENCES
    assert step_after(SetupStep.SAMPLE, views) is SetupStep.PHASES
    assert step_after(SetupStep.PHASES, views) is None


def test_a_running_evaluation_waits_for_nothing(ready: StudyStore) -> None:
    open_phase(ready, Phase.EVALUATE)
    views = setup_step_views(read_setup_facts(ready))
    assert not any(view.is_next for view in views)
    assert next_setup_step(views) is SetupStep.PHASES


def test_settings_can_change_until_the_lock(ready: StudyStore) -> None:
    before = study_settings_view(read_setup_facts(ready))
    assert all(one.may_change for one in before.settings)
    assert before.notice == ""
    open_phase(ready, Phase.EVALUATE)
    meanwhile = study_settings_view(read_setup_facts(ready))
    assert all(one.may_change for one in meanwhile.settings)
    assert meanwhile.notice == EVALUATION_NOTICE[PhaseState.OPEN]
    lock_phase(ready, Phase.EVALUATE, unfinished=True)
    after = study_settings_view(read_setup_facts(ready))
    may_change = [one.setting for one in after.settings if one.may_change]
    assert may_change == [IDLE_SECONDS, SHOWS_FREQUENCIES]
    assert after.settings[0].hint == ASKS_CONFIDENCE.hint[PhaseState.LOCKED]


def test_fixed_settings_are_shown_with_their_reason(facts: SetupFacts) -> None:
    fixed = {one.what: one for one in study_settings_view(facts).fixed}
    assert fixed["Classes"].value == "1,000 classes, WordNet 3.0"
    assert "Answers" in fixed["Classes"].why
    assert all(one.why for one in fixed.values())


@pytest.mark.parametrize(
    ("names", "shown"),
    [((), ("", "")), (("val",), ("val", "")), (("val", "new", "third"), ("val", "new"))],
)
def test_the_first_two_datasets_are_compared_unless_others_are_named(
    facts: SetupFacts, names: tuple[str, ...], shown: tuple[str, str]
) -> None:
    val = facts.datasets[0]
    view = study_settings_view(replace(facts, datasets=tuple(replace(val, name=n) for n in names)))
    assert (view.original, view.new) == shown
    named = study_settings_view(replace(facts, compared=("third", "val")))
    assert (named.original, named.new) == ("third", "val")


def test_progress_is_counted_for_each_phase(ready: StudyStore) -> None:
    add_person(ready, "B", roles=[Role.LABELER])
    facts = read_setup_facts(ready)
    assert [(r.code, r.progress, r.state) for r in progress_rows(Phase.EVALUATE, facts)] == [
        ("A", "0 of 4 answered", "not started"),
        ("B", "0 of 4 answered", "not started"),
    ]
    trained = progress_rows(Phase.TRAIN, replace(facts, trained={"A": 3}))
    assert [(r.progress, r.state) for r in trained] == [
        ("3 answered", ""),
        ("0 answered", "not started"),
    ]
    assert progress_rows(Phase.REVIEW, facts) == ()


def test_confirmations_name_the_effect_and_the_backup(facts: SetupFacts) -> None:
    opening = opening_confirmation(facts)
    assert "sample of 4 images can't be replaced" in opening.words
    locking = locking_confirmation(Phase.EVALUATE, facts)
    assert "A has 4 of 4 images left to answer." in locking.words
    assert locking.button_text == "Lock permanently"
    training = locking_confirmation(Phase.TRAIN, facts)
    assert LOCKING_EFFECTS[Phase.TRAIN] in training.words
    assert "permanently" not in training.button_text
    replacing = replacement_confirmation(facts)
    assert "sample of 4 images is discarded" in replacing.words
    for asked in (opening, locking, training, replacing):
        assert BACKUP_FIRST in asked.words


@pytest.mark.parametrize(
    ("phase", "heading"),
    [
        (Phase.ANNOTATE, "Lock the initial review?"),
        (Phase.TRAIN, "Lock the training?"),
        (Phase.EVALUATE, "Lock the evaluation?"),
        (Phase.REVIEW, "Lock the final review?"),
    ],
)
def test_the_locking_confirmation_names_the_phase(
    facts: SetupFacts, phase: Phase, heading: str
) -> None:
    assert locking_confirmation(phase, facts).heading == heading


def test_the_phases_step_names_the_open_phases(ready: StudyStore) -> None:
    open_phase(ready, Phase.TRAIN)
    open_phase(ready, Phase.EVALUATE)
    result = {view.step: view.sentence for view in setup_step_views(read_setup_facts(ready))}
    assert result[SetupStep.PHASES] == "open: training, evaluation"


def test_the_removal_confirmation_lists_the_effects(facts: SetupFacts) -> None:
    references = removal_confirmation("references", facts).words
    assert "removes 8 images" in references
    assert REFERENCES_LOST in references
    assert FILES_STAY in references
    assert REFERENCES_LOST not in removal_confirmation("val", facts).words


def test_findings_are_grouped_by_remedy() -> None:
    role = DatasetRole.EVALUATION
    missing = [
        CheckFinding(StudyProblem.MISSING, f"val: {n} isn't there.", role) for n in range(10)
    ]
    groups = problem_groups(
        [*missing, CheckFinding(StudyProblem.STALE_SHEET, "References are outdated.")]
    )
    images, sheets = groups
    assert images.step is SetupStep.IMAGES
    assert len(images.sentences) == 9
    assert images.sentences[-1] == "… and 2 more."
    assert sheets.builds_sheets
    assert not any("labeler " in group.remedy or "--" in group.remedy for group in groups)
    assert problem_groups([]) == ()


def test_a_missing_file_is_fixed_in_the_step_of_its_dataset() -> None:
    groups = problem_groups(
        CheckFinding(StudyProblem.MISSING, f"{role}: 1 isn't there.", role) for role in DatasetRole
    )
    assert {group.sentences[0]: group.step for group in groups} == {
        "evaluation: 1 isn't there.": SetupStep.IMAGES,
        "reference: 1 isn't there.": SetupStep.REFERENCES,
        "training: 1 isn't there.": SetupStep.TRAINING,
        # A pool has its own workspace.
        "pool: 1 isn't there.": None,
    }
