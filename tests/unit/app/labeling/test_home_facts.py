"""The home tells each person what they can do now, and nothing that isn't theirs to know."""

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from labeler.app.study.home_facts import LabelerProgress, OwnFacts, PhaseFacts, home_facts
from labeler.app.study.people import add_person
from labeler.app.study.phase_facts import (
    ALL_ANSWERED,
    OPEN_TO_OTHERS,
    OPENS_LATER,
    OWN_ANSWERS_LOCKED,
    REVIEW_WITHOUT_EVALUATION,
    TRAINED_ON_SAMPLE,
    can_be_opened_text,
    phase_facts,
)
from labeler.app.study.phases import lock_phase, open_phase
from labeler.app.study.settings import change_settings
from labeler.core.clock import stamp
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.entities import ExposureOccasion, Role
from labeler.core.study.phases import Phase, PhaseRuleFacts, PhaseState
from labeler.store.schema import ExposureRow, ParticipantRow, SampleImageRow
from labeler.store.study.backups import back_up


@pytest.fixture(autouse=True)
def _lead(store) -> None:
    add_person(store, "L", roles=[Role.LEAD])


def phase(store, which: Phase, code: str, role: Role) -> PhaseFacts:
    return next(facts for facts in home_facts(store, code, role).phases if facts.phase is which)


def saw_the_sample(store, occasion: ExposureOccasion) -> None:
    """Labeler A sees one image of the sample on such an occasion, now."""
    with store.write() as study:
        person = study.session.scalars(select(ParticipantRow).filter_by(code="A")).one()
        image = study.session.scalars(select(SampleImageRow.image_id)).first()
        now = stamp(store.clock.utc())
        study.session.add(
            ExposureRow(participant_id=person.id, image_id=image, occasion=occasion, at=now)
        )


def test_a_labeler_who_has_not_begun_sees_what_is_ahead(store) -> None:
    facts = home_facts(store, "A", Role.LABELER)

    assert (facts.study_name, facts.code, facts.role) == ("Fish and dogs", "A", Role.LABELER)
    assert facts.own == OwnFacts(
        answered=0, set_aside=0, total=4, active_ms=0, draft_waits=False, locked=False
    )
    assert [p.phase for p in facts.phases] == list(Phase)
    evaluation = phase(store, Phase.EVALUATE, "A", Role.LABELER)
    assert (evaluation.state, evaluation.can_work) == (PhaseState.OPEN, True)
    assert facts.labelers == ()


def test_a_labelers_own_progress_is_counted(store, driver) -> None:
    driver.session.answers.commit(driver.answer(1))
    aside = {"note": "", "spent": TimeSpent(), "shown_at": None}
    driver.session.flag(driver.trial(2), TrialFlag.NOT_SHOWN, **aside)
    driver.session.keep(driver.trial(3), driver.kept())

    assert home_facts(store, "A", Role.LABELER).own == OwnFacts(
        answered=1, set_aside=1, total=4, active_ms=900, draft_waits=True, locked=False
    )


def test_the_end_is_announced_and_locked_answers_are_finished(store, driver) -> None:
    driver.answer_all()
    before = phase(store, Phase.EVALUATE, "A", Role.LABELER)
    driver.session.keep(driver.trial(), driver.kept())
    driver.session.lock()
    after = phase(store, Phase.EVALUATE, "A", Role.LABELER)

    assert (before.can_work, before.sentence == ALL_ANSWERED) == (True, True)
    assert (after.can_work, after.sentence) == (False, OWN_ANSWERS_LOCKED)
    own = home_facts(store, "A", Role.LABELER).own
    assert own is not None
    assert (own.locked, own.draft_waits) == (True, False)


def test_who_trained_on_the_sample_is_sent_to_the_lead(store) -> None:
    saw_the_sample(store, ExposureOccasion.TRAINING)

    evaluation = phase(store, Phase.EVALUATE, "A", Role.LABELER)

    assert not evaluation.can_work
    assert evaluation.sentence == TRAINED_ON_SAMPLE


def test_who_has_begun_is_not_said_to_wait_for_a_washout(store, driver) -> None:
    change_settings(store, washout_days=7)
    driver.session.answers.commit(driver.answer(1))
    saw_the_sample(store, ExposureOccasion.REVIEW)

    assert phase(store, Phase.EVALUATE, "A", Role.LABELER).can_work
    lead = phase(store, Phase.EVALUATE, "L", Role.LEAD)
    assert lead.sentence == OPEN_TO_OTHERS[Phase.EVALUATE].format(sample_images=4)


@pytest.mark.parametrize("role", [Role.LABELER, Role.REVIEWER])
def test_a_phase_that_is_closed_says_when_it_opens(store, role) -> None:
    review = phase(store, Phase.REVIEW, "A" if role is Role.LABELER else "R", role)

    assert (review.state, review.can_work) == (PhaseState.CLOSED, False)
    assert review.sentence == OPENS_LATER[Phase.REVIEW]


def test_the_lead_sees_which_review_is_meant(store) -> None:
    def said(which: Phase) -> str:
        return phase(store, which, "L", Role.LEAD).sentence

    assert "after the evaluation is locked" in said(Phase.REVIEW)
    assert said(Phase.ANNOTATE) == can_be_opened_text(Phase.ANNOTATE)
    open_phase(store, Phase.ANNOTATE)
    assert said(Phase.ANNOTATE) == OPEN_TO_OTHERS[Phase.ANNOTATE]


def test_without_a_sample_the_final_review_is_not_offered_as_the_next_step() -> None:
    facts = PhaseRuleFacts(
        states=dict.fromkeys(Phase, PhaseState.CLOSED),
        evaluation_images=4,
        training_images=0,
        sample_images=0,
        labelers=("A",),
        reviewers=("R",),
        progress=(),
        trained_on_sample=(),
    )
    review = phase_facts(Phase.REVIEW, facts, code="L", role=Role.LEAD, own=None)
    assert review.sentence == REVIEW_WITHOUT_EVALUATION


def test_a_phase_is_open_to_those_who_work_in_it(store) -> None:
    open_phase(store, Phase.TRAIN)

    assert phase(store, Phase.TRAIN, "A", Role.LABELER).can_work
    for code, role in (("R", Role.REVIEWER), ("L", Role.LEAD)):
        training = phase(store, Phase.TRAIN, code, role)
        expected = OPEN_TO_OTHERS[Phase.TRAIN].format(training_images=4)
        assert (training.can_work, training.sentence) == (False, expected)


def test_a_locked_phase_is_finished_for_everybody(store) -> None:
    lock_phase(store, Phase.EVALUATE, unfinished=True)

    for code, role in (("A", Role.LABELER), ("R", Role.REVIEWER), ("L", Role.LEAD)):
        evaluation = phase(store, Phase.EVALUATE, code, role)
        assert (evaluation.state, evaluation.can_work) == (PhaseState.LOCKED, False)


def test_a_lead_sees_how_far_each_labeler_is_and_what_keeps_a_phase_closed(store, driver) -> None:
    add_person(store, "B", roles=[Role.LABELER])
    driver.session.answers.commit(driver.answer(1))

    facts = home_facts(store, "L", Role.LEAD)

    assert facts.own is None
    assert facts.labelers == (
        LabelerProgress(
            code="A", answered=1, set_aside=0, total=4, locked=False, active_ms=900, lately=1
        ),
        LabelerProgress(code="B", answered=0, set_aside=0, total=4, locked=False),
    )
    closed = phase(store, Phase.TRAIN, "L", Role.LEAD)
    assert closed.sentence == can_be_opened_text(Phase.TRAIN)


def test_the_last_backup_is_reported(store) -> None:
    assert home_facts(store, "L", Role.LEAD).last_backup_at is None
    for day in (1, 2):
        back_up(store.folder, now=datetime(2026, 3, day, 12, tzinfo=UTC))

    facts = home_facts(store, "L", Role.LEAD)

    assert facts.backs_up
    assert facts.last_backup_at == datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_nothing_at_home_tells_a_target_a_dataset_or_a_file(store, driver) -> None:
    driver.answer_all()

    result = repr(home_facts(store, "A", Role.LABELER))

    assert not re.search(r"JPEG|\bval\b|n\d{8}", result)
    assert "'L'" not in result


@pytest.mark.parametrize("role", [Role.LABELER, Role.LEAD])
def test_only_the_lead_sees_the_progress_of_others(store, driver, role) -> None:
    driver.answer_all()

    facts = home_facts(store, "A" if role is Role.LABELER else "L", role)

    result = {labeler.code: labeler.answered for labeler in facts.labelers}
    assert result.get("A") == (4 if role is Role.LEAD else None)
