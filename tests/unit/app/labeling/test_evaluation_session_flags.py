"""A trial set aside doesn't wait, keeps its time, and can be taken up again."""

import pytest
from sqlalchemy import select

from labeler.app.study.check import StudyProblem, check_study
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase
from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
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


def flag(driver, position: int = 1, flag: TrialFlag = INAPPROPRIATE, **changes) -> None:
    given = {"note": "", "spent": driver.spent(), "shown_at": "2026-03-01T09:30:00.000Z"}
    driver.session.flag(driver.trial(position), flag, **{**given, **changes})


def rows(store, kind) -> list:
    with store.read() as study:
        return list(study.session.scalars(select(kind)))


def test_an_inappropriate_image_is_problematic_and_its_time_and_sight_are_kept(
    store, driver, open_session
) -> None:
    flag(driver, note="blood")

    (problem,) = rows(store, ProblematicRow)
    assert (problem.reason, problem.note) == (ProblemReason.INAPPROPRIATE, "blood")
    assert [row.ended_ms for row in rows(store, IntervalRow)] == [450, 900]
    (exposure,) = rows(store, ExposureRow)
    assert (exposure.occasion, exposure.session_id) == (
        ExposureOccasion.EVALUATION,
        driver.start.session_id,
    )
    later = open_session()
    assert (later.start.first, later.trials[0].flagged) == (driver.trial(2), True)
    assert [trial.is_set_aside for trial in later.trials] == [True, False, False, False]


def test_an_image_that_was_not_shown_is_no_problematic_one(store, driver, open_session) -> None:
    flag(driver, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    assert [row.trial_id for row in rows(store, NotShownRow)] == [driver.trial()]
    assert rows(store, ProblematicRow) == rows(store, ExposureRow) == rows(store, IntervalRow) == []
    assert {row.shown_at for row in rows(store, TrialRow)} == {None}
    assert sum(trial.is_set_aside for trial in open_session().trials) == 1


@pytest.mark.parametrize("reason", [NOT_SHOWN, INAPPROPRIATE])
def test_flagged_again_it_is_kept_once_and_taken_back_at_once(
    store, driver, open_session, reason
) -> None:
    for _ in range(2):
        flag(driver, flag=reason, spent=TimeSpent())

    assert len(rows(store, ExposureRow)) == 1
    assert len(rows(store, NotShownRow) + rows(store, ProblematicRow)) == 1
    driver.session.unflag(driver.trial())
    later = open_session()
    assert (later.start.first, later.trials[0].flagged) == (driver.trial(), False)


@pytest.mark.parametrize("reason", [TrialFlag.KNOWN, TrialFlag.LATER])
def test_what_is_no_reason_to_set_aside_is_refused(driver, reason) -> None:
    with pytest.raises(RefusedError, match="can't be shown or is inappropriate"):
        flag(driver, flag=reason)


def test_a_flag_ends_the_draft_and_its_time_comes_back_with_the_trial(store, driver) -> None:
    driver.session.keep(driver.trial(), driver.kept())
    flag(driver, spent=TimeSpent(driver.spent().visits, 5000))

    assert rows(store, DraftRow) == []
    assert driver.session.open_trial(driver.trial()).draft == AnswerDraft(
        flags=frozenset({INAPPROPRIATE}), earlier=TimeSpent(driver.spent().visits, 5000)
    )


def test_time_before_and_after_a_flag_adds_up(store, driver) -> None:
    """Answered, gone back to and flagged, gone back to once more."""
    driver.session.answers.commit(driver.answer())
    flag(driver, spent=driver.spent(1000, 1500))

    earlier = driver.session.open_trial(driver.trial()).draft.earlier

    assert earlier.wall_ms == 1400
    assert earlier.active_ms(idle_after_ms=120_000) == 1400
    later = driver.answer(active_ms=1700, wall_ms=1700, visits=driver.spent(2000, 2300).visits)
    driver.session.answers.commit(later)
    draft = driver.session.open_trial(driver.trial()).draft
    assert (draft.revision, draft.earlier.wall_ms) == (3, 1700)
    assert draft.earlier.active_ms(idle_after_ms=120_000) == 1700


def test_an_image_that_is_answered_after_all_was_shown(store, driver, clock) -> None:
    flag(driver, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)
    clock.go_on(minutes=1)

    driver.session.answers.commit(driver.answer())

    (row,) = rows(store, NotShownRow)
    assert row.withdrawn_at == "2026-03-01T09:31:00.000Z"
    draft = driver.session.open_trial(driver.trial()).draft
    assert draft.flags == frozenset()


def test_flagged_trials_keep_neither_the_labeler_nor_the_lead_from_the_end(store, driver) -> None:
    for position in (1, 2):
        driver.session.answers.commit(driver.answer(position))
    flag(driver, 2)
    flag(driver, 3)
    with pytest.raises(RefusedError, match="A has answered 2 and set 1 aside of 4"):
        lock_phase(store, Phase.EVALUATE)
    flag(driver, 4, NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    driver.session.lock()
    lock_phase(store, Phase.EVALUATE)

    with pytest.raises(RefusedError, match="locked"):
        flag(driver, 3)


def test_the_lead_sees_which_image_could_not_be_shown(store, driver, clock) -> None:
    flag(driver, flag=NOT_SHOWN, spent=TimeSpent(), shown_at=None)

    (finding,) = check_study(store.folder.path, clock=clock)

    assert finding.problem is StudyProblem.NOT_SHOWN
    assert "couldn't be shown to A" in finding.sentence
    driver.session.unflag(driver.trial())
    assert check_study(store.folder.path, clock=clock) == []


def test_a_lead_sees_every_image_once_answered_or_set_aside(store, driver, open_session) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    driver.session.answers.commit(driver.answer(1))
    flag(driver, 1)
    flag(driver, 2)
    flag(driver, 2, flag=NOT_SHOWN)
    flag(driver, 3, flag=NOT_SHOWN)
    flag(open_session("B"), 1)

    with store.read() as study:
        progress = {own.labeler: own for own in study.phases.facts().progress}

    assert (progress["A"].answered, progress["A"].set_aside, progress["A"].left) == (1, 2, 1)
    assert (progress["B"].answered, progress["B"].set_aside) == (0, 1)
