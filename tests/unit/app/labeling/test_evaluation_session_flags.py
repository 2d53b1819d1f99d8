"""A trial set aside doesn't wait, keeps its time, and can be taken up again."""

import pytest
from sqlalchemy import select

from labeler.app.study.check import StudyProblem, check_study
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase
from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import TrialDraft, TrialFlag
from labeler.core.study.entities import ExposureOccasion, ProblemReason, Role
from labeler.core.study.phases import Phase
from labeler.store.schema import (
    DraftRow,
    ExposureRow,
    IntervalRow,
    NotShownRow,
    ProblematicRow,
    TrialRow,
)

NOT_SHOWN, INAPPROPRIATE = TrialFlag.NOT_SHOWN, TrialFlag.INAPPROPRIATE


def flag(sitting, position: int = 1, flag: TrialFlag = INAPPROPRIATE, **changes) -> None:
    given = {"note": "", "spent": sitting.spent(), "shown_at": "2026-03-01T09:30:00.000Z"}
    sitting.desk.flag(sitting.trial(position), flag, **{**given, **changes})


def rows(store, kind) -> list:
    with store.read() as study:
        return list(study.session.scalars(select(kind)))


def test_an_inappropriate_image_is_problematic_and_its_time_and_sight_are_kept(
    store, sitting, sit_down
) -> None:
    flag(sitting, note="blood")

    (problem,) = rows(store, ProblematicRow)
    assert (problem.reason, problem.note) == (ProblemReason.INAPPROPRIATE, "blood")
    assert [row.ended_ms for row in rows(store, IntervalRow)] == [450, 900]
    (exposure,) = rows(store, ExposureRow)
    assert (exposure.occasion, exposure.session_id) == (
        ExposureOccasion.EVALUATION,
        sitting.begun.session_id,
    )
    later = sit_down()
    assert (later.begun.first, later.trials[0].flagged) == (sitting.trial(2), True)
    assert [trial.is_set_aside for trial in later.trials] == [True, False, False, False]


def test_an_image_that_was_not_shown_is_no_problematic_one(store, sitting, sit_down) -> None:
    flag(sitting, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    assert [row.trial_id for row in rows(store, NotShownRow)] == [sitting.trial()]
    assert rows(store, ProblematicRow) == rows(store, ExposureRow) == rows(store, IntervalRow) == []
    assert {row.shown_at for row in rows(store, TrialRow)} == {None}
    assert sum(trial.is_set_aside for trial in sit_down().trials) == 1


@pytest.mark.parametrize("reason", [NOT_SHOWN, INAPPROPRIATE])
def test_flagged_again_it_is_kept_once_and_taken_back_at_once(
    store, sitting, sit_down, reason
) -> None:
    for _ in range(2):
        flag(sitting, flag=reason, spent=TimeSpent())

    assert len(rows(store, ExposureRow)) == 1
    assert len(rows(store, NotShownRow) + rows(store, ProblematicRow)) == 1
    sitting.desk.unflag(sitting.trial())
    later = sit_down()
    assert (later.begun.first, later.trials[0].flagged) == (sitting.trial(), False)


@pytest.mark.parametrize("reason", [TrialFlag.KNOWN, TrialFlag.LATER])
def test_what_is_no_reason_to_set_aside_is_refused(sitting, reason) -> None:
    with pytest.raises(RefusedError, match="can't be shown or is inappropriate"):
        flag(sitting, flag=reason)


def test_a_flag_ends_the_draft_and_its_time_comes_back_with_the_trial(store, sitting) -> None:
    sitting.desk.keep(sitting.trial(), sitting.kept())
    flag(sitting, spent=TimeSpent(sitting.spent().visits, 5000))

    assert rows(store, DraftRow) == []
    assert sitting.desk.open_trial(sitting.trial()).kept.draft == TrialDraft(
        flags=frozenset({INAPPROPRIATE}), earlier=TimeSpent(sitting.spent().visits, 5000)
    )


def test_time_before_and_after_a_flag_adds_up(store, sitting) -> None:
    """Answered, gone back to and flagged, gone back to once more."""
    sitting.desk.commit(sitting.answer())
    flag(sitting, spent=sitting.spent(1000, 1500))

    earlier = sitting.desk.open_trial(sitting.trial()).kept.draft.earlier

    assert earlier.wall_ms == 1400
    assert earlier.active_ms(idle_after_ms=120_000) == 1400
    later = sitting.answer(active_ms=1700, wall_ms=1700, visits=sitting.spent(2000, 2300).visits)
    sitting.desk.commit(later)
    draft = sitting.desk.open_trial(sitting.trial()).kept.draft
    assert (draft.revision, draft.earlier.wall_ms) == (3, 1700)
    assert draft.earlier.active_ms(idle_after_ms=120_000) == 1700


def test_an_image_that_is_answered_after_all_was_shown(store, sitting, clock) -> None:
    flag(sitting, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)
    clock.go_on(minutes=1)

    sitting.desk.commit(sitting.answer())

    (row,) = rows(store, NotShownRow)
    assert row.withdrawn_at == "2026-03-01T09:31:00.000Z"
    draft = sitting.desk.open_trial(sitting.trial()).kept.draft
    assert draft.flags == frozenset()


def test_flagged_trials_keep_neither_the_labeler_nor_the_lead_from_the_end(store, sitting) -> None:
    for position in (1, 2):
        sitting.desk.commit(sitting.answer(position))
    flag(sitting, 2)
    flag(sitting, 3)
    with pytest.raises(RefusedError, match="A has answered 2 and set 1 aside of 4"):
        lock_phase(store, Phase.EVALUATE)
    flag(sitting, 4, NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    sitting.desk.lock()
    lock_phase(store, Phase.EVALUATE)

    with pytest.raises(RefusedError, match="locked"):
        flag(sitting, 3)


def test_the_lead_is_told_which_image_could_not_be_shown_until_it_was(
    store, sitting, clock
) -> None:
    flag(sitting, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    (finding,) = check_study(store.folder.path, clock=clock)

    assert finding.ailment is StudyProblem.NOT_SHOWN
    assert "couldn't be shown to A" in finding.sentence
    sitting.desk.unflag(sitting.trial())
    assert check_study(store.folder.path, clock=clock) == []


def test_a_lead_sees_every_image_once_answered_or_set_aside(store, sitting, sit_down) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    sitting.desk.commit(sitting.answer(1))
    flag(sitting, 1)
    flag(sitting, 2)
    flag(sitting, 2, flag=NOT_SHOWN)
    flag(sitting, 3, flag=NOT_SHOWN)
    flag(sit_down("B"), 1)

    with store.read() as study:
        progress = {own.labeler: own for own in study.phases.facts().progress}

    assert (progress["A"].answered, progress["A"].set_aside, progress["A"].left) == (1, 2, 1)
    assert (progress["B"].answered, progress["B"].set_aside) == (0, 1)
