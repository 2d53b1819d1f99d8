"""Updates bring new work to people who already have a bundle and a pack."""

from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, update

from labeler.app.datasets.sampling import freeze_sample
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.session import ReviewSession
from labeler.app.sharing.updates import apply_updates, make_update
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import ProblemReason, Role, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.images.pack_file import PACK_SUFFIX
from labeler.store.schema import (
    ChainEntryRow,
    DatasetRow,
    FlagAnswerRow,
    ImageRow,
    PackImageRow,
    PhaseRow,
    ProblematicRow,
    ReviewFlagRow,
    ReviewRow,
    SampleDatasetRow,
    SampleImageRow,
    SampleRow,
    TrainingPoolRow,
    TrialRow,
)
from tests.shared_packed_demo import Lead, Person
from tests.unit.app.sharing.conftest import Opener
from tests.unit.app.sharing.test_merge import answers, merge
from tests.unit.app.sharing.test_other_roles import judge

MISSING_IN_PACK = 20


@pytest.fixture
def unsampled(lead: Lead) -> Lead:
    """A lead whose sample isn't drawn yet, and whose pack has only some of its images."""
    with lead.store.write() as study:
        session = study.session
        images = session.scalars(select(SampleImageRow.image_id)).all()[:MISSING_IN_PACK]
        session.execute(
            delete(PackImageRow).where(
                PackImageRow.image_id.in_(images), ~PackImageRow.is_reference
            )
        )
        for row in (SampleImageRow, SampleDatasetRow, SampleRow):
            session.execute(delete(row))
        session.execute(
            update(PhaseRow).where(PhaseRow.phase == Phase.EVALUATE).values(state=PhaseState.CLOSED)
        )
    return lead


def draw_and_open(lead: Lead) -> None:
    freeze_sample(lead.store, SampleRequest(("original", "new"), 1, lead.store.identity.seed, 30))
    open_phase(lead.store, Phase.EVALUATE)


def send_update(lead: Lead, person: Person, name: str = "week") -> int:
    """Send an update to the person, who opens the bundle again."""
    images = make_update(lead.store, person.file.with_name(f"{name}.labelerupdate"), keys=lead.keys)
    person.reopen()
    return images


def test_a_sample_that_was_drawn_later_is_answered_with_the_pack_that_a_person_has(
    unsampled: Lead, opened: Opener
) -> None:
    person = opened("A")
    draw_and_open(unsampled)
    added = send_update(unsampled, person)
    assert 0 < added <= MISSING_IN_PACK
    session = EvaluationSession(person.store, "A")
    session.begin()
    trials = session.trials()
    assert len(trials) == 60
    assert all(session.picture(trial.trial_id).data for trial in trials)
    session.end()
    person.answer(5)
    merge(unsampled, person.save("week 1"))
    assert len(answers(unsampled.store, "A")) == 5
    with unsampled.store.read() as study:
        assert [trial.position for trial in study.labeling.trials("A") if trial.answered] == [
            1,
            2,
            3,
            4,
            5,
        ]


def test_what_an_update_brings_says_nothing_about_the_images(
    unsampled: Lead, opened: Opener
) -> None:
    person = opened("A")
    draw_and_open(unsampled)
    send_update(unsampled, person)
    with person.store.read() as study:
        session = study.session
        asked = session.scalars(
            select(ImageRow).where(ImageRow.id.in_(select(TrialRow.image_id)))
        ).all()
        facts = {(one.target_id, one.content_hash, one.byte_count, one.path) for one in asked}
        assert (len(asked), facts) == (60, {(None, None, None, None)})
        assert not session.scalars(select(ChainEntryRow)).all()
        roots = session.scalars(select(DatasetRow.root)).all()
    assert {Path(root).suffix for root in roots if root} == {PACK_SUFFIX}


def test_a_person_who_missed_an_update_needs_only_the_next(unsampled: Lead, opened: Opener) -> None:
    person = opened("A")
    draw_and_open(unsampled)
    lost = person.file.with_name("lost.labelerupdate")
    make_update(unsampled.store, lost, keys=unsampled.keys)
    lost.unlink()
    send_update(unsampled, person)
    person.answer(2)
    send_update(unsampled, person, "again")
    with person.store.read() as study:
        assert (study.labeling.progress("A").answered, study.labeling.progress("A").total) == (
            2,
            60,
        )


def test_a_cut_update_is_not_applied(unsampled: Lead, opened: Opener) -> None:
    person = opened("A")
    draw_and_open(unsampled)
    file = person.file.with_name("week.labelerupdate")
    make_update(unsampled.store, file, keys=unsampled.keys)
    file.write_bytes(file.read_bytes()[:-1000])
    assert apply_updates(person.store, file.parent) == 0
    with person.store.read() as study:
        assert not study.session.scalars(select(TrialRow)).all()


def test_a_sample_with_training_images_of_a_bundle_is_refused(
    unsampled: Lead, opened: Opener
) -> None:
    person = opened("A")
    draw_and_open(unsampled)
    with unsampled.store.write() as study:
        session = study.session
        session.execute(
            update(SampleImageRow)
            .where(
                SampleImageRow.position == session.scalar(select(func.min(SampleImageRow.position)))
            )
            .values(image_id=session.scalar(select(TrainingPoolRow.image_id).limit(1)))
        )
    with pytest.raises(RefusedError, match="bundle of A"):
        make_update(unsampled.store, person.file.with_suffix(".labelerupdate"), keys=unsampled.keys)


@pytest.fixture
def review(lead: Lead) -> Lead:
    add_person(lead.store, "S", roles=[Role.REVIEWER])
    plan_review(lead.store, PlanSettings(stage=Stage.INITIAL, overlap=1, sample_only=True))
    open_phase(lead.store, Phase.ANNOTATE)
    return lead


def test_a_flag_of_one_bundle_is_checked_in_another(review: Lead, opened: Opener) -> None:
    flagger, checker = opened("R"), opened("S")
    judge(flagger, 2)
    merge(review, flagger.save("week 1"))
    send_update(review, checker)
    session = ReviewSession(checker.store, "S", Stage.INITIAL)
    start = session.begin()
    assert len(start.checks) == 2
    for check in start.checks:
        session.answer_check(check.check_id, OwnFlag(frozenset({ProblemReason.DRAWING})))
    session.end()
    file = checker.save("week 2")
    merge(review, file)
    merge(review, file)
    with review.store.read() as study:
        flagged = study.session.scalars(select(ReviewFlagRow.image_id)).all()
        found = study.session.execute(select(ProblematicRow.image_id, ProblematicRow.reason)).all()
    assert [tuple(row) for row in found] == [(flagged[0], ProblemReason.DRAWING)]


def test_after_the_lock_of_a_review_only_the_lead_can_read_the_verdicts(
    review: Lead, opened: Opener
) -> None:
    person = opened("R")
    given = judge(person, 4)
    lock_phase(review.store, Phase.ANNOTATE, unfinished=True)
    send_update(review, person)
    with person.store.read() as study:
        for row in (ReviewRow, ReviewFlagRow, FlagAnswerRow):
            assert not study.session.scalars(select(row)).all()
        assert not any(study.session.scalars(select(ChainEntryRow.content)))
    merge(review, person.save("after the lock"))
    with review.store.read() as study:
        assert study.session.scalar(select(func.count()).select_from(ReviewRow)) == given


def test_after_the_lead_locks_the_evaluation_its_answers_are_sealed(
    lead: Lead, opened: Opener
) -> None:
    person = opened("A")
    person.answer(3)
    lock_phase(lead.store, Phase.EVALUATE, unfinished=True)
    send_update(lead, person)
    log = person.store.folder.database.with_name("study.db-wal")
    assert not log.exists() or log.stat().st_size == 0
    with person.store.read() as study:
        assert not any(study.session.scalars(select(ChainEntryRow.content)))
    merge(lead, person.save("after the lock"))
    assert sorted(label for *_rest, label in answers(lead.store, "A")) == [0, 1, 2]
