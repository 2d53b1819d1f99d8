"""A labeler's session: it begins where the last one ended, and keeps what is half done."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import select, text

from labeler.app.labeling.session import UNREADABLE_DRAFT
from labeler.app.study.phases import lock_phase
from labeler.app.study.settings import change_settings
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import AnswerDraft, Question, TrialFlag
from labeler.core.study.entities import ExposureOccasion, Role, SessionTask
from labeler.core.study.phases import Phase
from labeler.store.datasets.exposures import TRAINED_ON_SAMPLE
from labeler.store.schema import DraftRow, ExposureRow, GuideVisitRow, ImageRow, ParticipantRow
from labeler.store.study.sessions import TAKEN_OVER, SessionTakenOver

DOG, CAT = "n02085620", "n02123045"


def test_a_session_begins_with_the_first_trial_and_nothing_done(driver) -> None:
    start = driver.start

    assert [trial.position for trial in driver.trials] == [1, 2, 3, 4]
    assert all(trial.waits for trial in driver.trials)
    assert start.trial == driver.trials[0]
    assert (start.resumed, start.finished, start.also_open) == (False, False, False)
    assert (start.questions, start.idle_after_ms) == (frozenset(), 120_000)


def test_a_session_is_on_record_from_its_beginning_to_its_end(store, driver, clock) -> None:
    clock.go_on(hours=1)
    driver.session.end()

    with store.read() as study:
        (session,) = study.sessions.of("A")
    assert (session.session_id, session.role) == (driver.start.session_id, Role.LABELER)
    assert (session.task, session.ended_at) == (SessionTask.EVALUATE, "2026-03-01T10:30:00.000Z")


def test_what_the_lead_set_reaches_the_labeler(store, open_session) -> None:
    change_settings(store, asks_confidence=True, idle_seconds=30)

    start = open_session().start

    assert (start.questions, start.idle_after_ms) == ({Question.CONFIDENCE}, 30_000)


def test_a_new_trial_starts_empty(driver) -> None:
    start = driver.session.open_trial(driver.trial())

    assert (start.draft, start.message) == (AnswerDraft(), "")


def test_the_next_session_continues_with_the_trial_that_waits(driver, open_session) -> None:
    driver.session.answers.commit(driver.answer(1))
    driver.session.end()

    later = open_session()

    assert later.start.first == driver.trial(2)
    assert [trial.answered for trial in later.trials] == [True, False, False, False]
    assert not later.start.resumed


def test_a_trial_left_half_done_is_offered_again_with_its_time(driver, open_session) -> None:
    driver.session.answers.commit(driver.answer(1))
    kept = driver.kept()
    driver.session.keep(driver.trial(3), kept)

    start = (later := open_session()).start

    assert (start.first, start.resumed) == (driver.trial(3), True)
    assert later.session.open_trial(driver.trial(3)).draft == kept


def test_a_draft_takes_the_place_of_the_one_before(driver) -> None:
    driver.session.keep(driver.trial(), driver.kept(note="first"))
    driver.session.keep(driver.trial(), driver.kept(note="second"))

    assert driver.session.open_trial(driver.trial()).draft.note == "second"


def test_a_draft_older_than_the_last_answer_is_no_reason_to_start_there(
    driver, open_session, clock
) -> None:
    driver.session.keep(driver.trial(3), driver.kept())
    clock.go_on(seconds=5)
    driver.session.answers.commit(driver.answer(1))

    start = open_session().start

    assert (start.first, start.resumed) == (driver.trial(2), False)
    assert driver.session.open_trial(driver.trial(3)).draft == driver.kept(), "but it is kept"


def test_an_answer_reopened_keeps_its_time_and_starts_the_next_revision(driver) -> None:
    answer = driver.answer(alternative=CAT, confidence=4, note="a paw", knows_image=True)
    driver.session.answers.commit(answer)
    driver.session.mark(answer.trial_id, marked=True)

    draft = driver.session.open_trial(answer.trial_id).draft

    assert draft == AnswerDraft(
        revision=2,
        label=DOG,
        escape_hatch=True,
        alternative=CAT,
        confidence=4,
        note="a paw",
        flags=frozenset({TrialFlag.KNOWN, TrialFlag.LATER}),
        earlier=TimeSpent(answer.visits, 900),
    )


def test_a_draft_follows_an_answer_that_another_window_gave_meanwhile(driver, open_session) -> None:
    driver.session.keep(driver.trial(), driver.kept())
    other = open_session()
    answer = other.answer(1, visits=other.spent(0, 500).visits, wall_ms=500)
    other.session.answers.commit(answer)
    driver.session.keep(driver.trial(), driver.kept())

    draft = driver.session.open_trial(driver.trial()).draft

    assert (draft.revision, draft.label) == (2, DOG)
    assert draft.earlier == TimeSpent(answer.visits, 500)
    assert draft.since == driver.spent()


def test_a_draft_that_cannot_be_read_is_reported_and_stops_no_one(store, driver) -> None:
    driver.session.keep(driver.trial(), driver.kept())
    with store.write() as study:
        study.session.execute(text("UPDATE draft SET contents = '{\"version\": 99}'"))

    start = driver.session.open_trial(driver.trial())

    assert start.draft == AnswerDraft()
    assert start.message == UNREADABLE_DRAFT


def test_a_second_window_is_reported_and_both_may_answer(driver, open_session, clock) -> None:
    clock.go_on(minutes=4)
    other = open_session()

    assert other.start.also_open
    first, second = driver.answer(), other.answer(label=CAT)
    assert driver.session.answers.commit(first).revision == 1
    assert other.session.answers.commit(second).revision == 2


def test_a_session_that_ended_or_was_killed_is_no_second_window(driver, open_session) -> None:
    driver.session._release_lock()  # as the system does for a program that was killed
    silent = open_session()
    silent.session.end()
    driver.session.end()

    assert not silent.start.also_open
    assert not open_session().start.also_open


def test_a_session_in_an_open_window_stays_known_as_open(driver, open_session, clock) -> None:
    clock.go_on(hours=1)

    assert open_session().start.also_open


def test_a_session_that_was_taken_over_stores_nothing_more(driver, open_session) -> None:
    other = open_session()
    other.session.take_over()

    assert driver.session.answers.commit(driver.answer()).sentence == TAKEN_OVER
    with pytest.raises(SessionTakenOver):
        driver.session.keep(driver.trial(), driver.kept())
    assert other.session.answers.commit(other.answer(label=CAT)).revision == 1


def test_a_read_only_session_stores_nothing_and_leaves_the_other_alone(
    driver, open_session
) -> None:
    other = open_session()
    other.session.become_read_only()

    other.session.keep(other.trial(), other.kept())
    with pytest.raises(RefusedError, match="read-only"):
        other.session.mark(other.trial(), marked=True)
    assert driver.session.answers.commit(driver.answer()).revision == 1


def test_marks_come_back_with_the_next_session(driver, open_session) -> None:
    driver.session.mark(driver.trial(2), marked=True)
    driver.session.mark(driver.trial(3), marked=True)
    driver.session.mark(driver.trial(2), marked=False)

    assert [t.position for t in open_session().trials if t.marked] == [3]


def test_guide_pages_are_on_record_with_the_trial(store, driver) -> None:
    driver.session.visited_guide("dogs", trial_id=driver.trial(), guide_version="g1")
    driver.session.visited_guide("cats", trial_id=None, guide_version="g1")

    with store.read() as study:
        visits = list(study.session.scalars(select(GuideVisitRow).order_by(GuideVisitRow.id)))
    assert [(v.page, v.trial_id) for v in visits] == [("dogs", driver.trial()), ("cats", None)]
    assert {v.session_id for v in visits} == {driver.start.session_id}


def test_the_answers_are_locked_when_none_waits(driver, open_session) -> None:
    with pytest.raises(RefusedError, match="4 trials aren't answered yet"):
        driver.session.lock()
    driver.answer_all()

    driver.session.lock()

    with pytest.raises(RefusedError, match="you have finished the evaluation"):
        open_session()


def test_a_draft_of_locked_answers_is_refused_quietly(store, driver) -> None:
    driver.answer_all()
    driver.session.lock()

    driver.session.keep(driver.trial(), driver.kept())

    with store.read() as study:
        assert study.session.scalars(select(DraftRow)).all() == []


def test_a_draft_after_the_lead_locked_the_phase_is_refused_quietly(store, driver) -> None:
    lock_phase(store, Phase.EVALUATE, unfinished=True)

    driver.session.keep(driver.trial(), driver.kept())

    with store.read() as study:
        assert study.session.scalars(select(DraftRow)).all() == []


def test_who_trained_on_the_sample_is_sent_to_the_lead_without_a_name(store, open_session) -> None:
    with store.write() as study:
        person = study.session.scalars(select(ParticipantRow).filter_by(code="A")).one()
        sampled = study.samples.images()[0]
        image = study.session.scalars(select(ImageRow).filter_by(name=sampled.image)).first()
        study.session.add(
            ExposureRow(
                participant_id=person.id,
                image_id=image.id,
                occasion=ExposureOccasion.TRAINING,
                at="2026",
            )
        )

    with pytest.raises(RefusedError, match=TRAINED_ON_SAMPLE) as refusal:
        open_session()
    assert not re.search(r"JPEG|\bval\b|n\d{8}", str(refusal.value))


def test_someone_who_is_no_labeler_has_no_desk(open_session) -> None:
    with pytest.raises(RefusedError, match="doesn't have the role labeler"):
        open_session("R")


def test_a_picture_is_the_file_and_nothing_that_names_it(store, driver, tmp_path) -> None:
    files = {file.read_bytes() for file in (tmp_path / "pictures" / "val").rglob("*.JPEG")}

    pictures = [driver.session.picture(trial.trial_id) for trial in driver.trials]

    assert {picture.data for picture in pictures} <= files
    assert len({picture.data for picture in pictures}) == 4
    assert not any(picture.apply_exif for picture in pictures)
    assert "JPEG" not in repr(pictures)


def test_another_picture_in_the_place_of_a_trials_is_not_shown(driver, tmp_path) -> None:
    files = sorted((tmp_path / "pictures" / "val").rglob("*.JPEG"))
    contents = [file.read_bytes() for file in files]
    for file, other in zip(files, contents[1:] + contents[:1], strict=True):
        file.write_bytes(other)
    for trial in driver.trials:
        with pytest.raises(EnvironmentFault, match=r"has changed since.*tell the lead"):
            driver.session.picture(trial.trial_id)


@pytest.mark.parametrize("damage", ["gone", "empty", "a folder"])
def test_an_unreadable_image_is_reported_without_its_path(driver, tmp_path, damage) -> None:
    for file in (tmp_path / "pictures" / "val").rglob("*.JPEG"):
        file.unlink()
        if damage == "empty":
            file.touch()
        elif damage == "a folder":
            file.mkdir()

    with pytest.raises(EnvironmentFault, match="Flag this image to continue") as fault:
        driver.session.picture(driver.trial())
    assert not re.search(r"JPEG|\bval\b|pictures/|n\d{8}", str(fault.value))
    assert (fault.value.__cause__, fault.value.__context__) == (None, None)


def test_no_result_of_the_session_reveals_a_file_or_class(driver) -> None:
    driver.session.answers.commit(driver.answer(1))
    driver.session.keep(driver.trial(2), driver.kept())
    given = [
        driver.start,
        driver.session.open_trial(driver.trial(1)),
        driver.session.open_trial(driver.trial(2)),
        driver.session.answers.commit(replace(driver.answer(3), label=CAT)),
    ]

    assert not re.search(r"JPEG|\bval\b|n01440764|pictures", repr(given))
