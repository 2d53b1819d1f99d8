"""The texts of Set up before leaving, replacing or checking again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from labeler.app.study.setup.check import CHECK_AGAIN, NO_PROBLEMS, check_summary
from labeler.app.study.setup.confirmations import overwrite_confirmation
from labeler.app.study.setup.datasets import (
    CHOOSE_DATASET,
    dataset_actions,
    dataset_rows,
    nothing_skipped_text,
)
from labeler.app.study.setup.facts import SetupFacts, read_setup_facts
from labeler.app.study.setup.settings import (
    PASSPHRASE_NOT_SET,
    StudySettingsForm,
    StudySettingsView,
    study_settings_view,
    unapplied_text,
    unsaved_settings_confirmation,
)
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.steps import setup_step_views
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.datasets.datasets import OddFileCounts
from labeler.store.study_opening import open_study
from tests.adjustable_clock import AdjustableClock


@pytest.fixture
def facts(healthy: Path, clock: AdjustableClock) -> Iterator[SetupFacts]:
    with open_study(healthy, clock=clock) as store:
        yield read_setup_facts(store)


def unchanged(view: StudySettingsView) -> StudySettingsForm:
    return StudySettingsForm(
        values={one.setting.name: one.value for one in view.settings},
        original=view.original,
        new=view.new,
    )


def test_leaving_unchanged_settings_asks_nothing(facts: SetupFacts) -> None:
    view = study_settings_view(facts)
    assert unsaved_settings_confirmation(view, unchanged(view)) is None


def test_leaving_changed_settings_lists_the_changes(facts: SetupFacts) -> None:
    view = replace(study_settings_view(facts), datasets=("a", "b"), original="a", new="b")
    wish = replace(
        unchanged(view),
        values={
            "asks_confidence": True,
            "idle_seconds": 60,
            "washout_days": 1,
            "shows_frequencies": True,
        },
        original="b",
        new="a",
        typed=True,
    )
    asked = unsaved_settings_confirmation(view, wish)
    assert asked is not None
    assert asked.words == unapplied_text(
        (
            "ask labelers how sure they are",
            "idle after 60 s instead of 120 s",
            "a washout of 1 day instead of none",
            "show selection frequencies to dataset reviewers",
            "compare b with a",
            PASSPHRASE_NOT_SET,
        )
    )


def test_comparing_a_dataset_with_itself_is_not_a_change(facts: SetupFacts) -> None:
    view = replace(study_settings_view(facts), datasets=("a", "b"), original="a", new="b")
    assert unsaved_settings_confirmation(view, replace(unchanged(view), new="a")) is None


def test_a_row_says_what_was_skipped_and_why_actions_are_disabled(facts: SetupFacts) -> None:
    odd = replace(facts, odd_files={"val": OddFileCounts(left_out=1, noted=2)})
    (row,) = dataset_rows(odd, DatasetRole.EVALUATION)
    assert dataset_actions(row).about == "val: 1 file skipped, 2 files imported with a note."
    assert dataset_actions(row).no_odd == ""
    (sound,) = dataset_rows(facts, DatasetRole.EVALUATION)
    assert dataset_actions(sound).no_odd == nothing_skipped_text("val")
    assert dataset_actions(None).none_chosen == CHOOSE_DATASET


def test_a_check_says_when_it_was_made_and_if_it_may_be_outdated() -> None:
    at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    when = f"{at.astimezone():%Y-%m-%d at %H:%M}"
    now = check_summary(2, at, earlier=False)
    assert now == f"Checked on {when}: 2 problems found."
    assert NO_PROBLEMS in check_summary(0, at, earlier=False)
    assert check_summary(2, at, earlier=True) == f"{now} {CHECK_AGAIN}"


def test_the_overwrite_confirmation_names_the_files() -> None:
    asked = overwrite_confirmation(Path("/out"), ("a.csv", "b.csv"))
    assert asked.heading == "Replace 2 files?"
    assert "/out: a.csv; b.csv" in asked.words


def test_many_open_phases_are_counted_instead_of_named(facts: SetupFacts) -> None:
    every = dict.fromkeys(Phase, PhaseState.OPEN)
    views = setup_step_views(replace(facts, study=replace(facts.study, states=every)))
    result = next(view.sentence for view in views if view.step is SetupStep.PHASES)
    assert result == "4 phases open"
