"""A labeler's answers, drafts and flags on a PostgreSQL server, next to others and after faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import CommittedAnswer, TrialFlag
from labeler.core.study.entities import DatasetRole, Role, SessionTask
from labeler.core.study.phases import Phase
from labeler.core.training.request import SavedFamily, TrainingRequest
from labeler.store.labeling.trial_flags import FlaggedTrial
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import START
from tests.unit.store.small_evaluation import CAT, FISH, Evaluation, open_evaluation


@pytest.fixture
def path(study_on_server: Path) -> Path:
    return study_on_server


@pytest.fixture
def answering(store, lead, clock) -> Iterator[tuple[Evaluation, StudyStore]]:
    """An evaluation there, and the hurried store of labeler A's session."""
    evaluation = open_evaluation(store, lead, clock)
    with store.hurried() as hurried:
        yield evaluation, hurried


def commit(
    store: StudyStore, answer: CommittedAnswer, task: SessionTask = SessionTask.EVALUATE
) -> int:
    with store.write() as study:
        return study.answers.commit(answer, task=task)


def keep(store: StudyStore, trial_id: str, contents: str) -> bool:
    with store.write() as study:
        return study.drafts.put_trial(trial_id, contents)


def test_answers_and_drafts_are_stored_there_too(answering) -> None:
    evaluation, hurried = answering
    answer = evaluation.answer(alternative=CAT, confidence=2, knows_image=True)
    other = evaluation.trial(2)
    for contents in ("{}", '{"a": 1}'):
        assert keep(hurried, answer.trial_id, contents)
        assert keep(hurried, other, contents)
    with hurried.write() as study:
        study.sessions.touch(evaluation.sessions["A"])

    assert [commit(hurried, answer), commit(hurried, answer)] == [1, 1]
    assert commit(hurried, evaluation.answer(label=CAT, active_ms=1500)) == 2

    with evaluation.store.read() as study:
        assert study.drafts.subjects("A", task=SessionTask.EVALUATE) == [other]
        assert study.drafts.get("A", task=SessionTask.EVALUATE, subject=other) == {"a": 1}
        own = study.labeling.reopened(answer.trial_id)
        assert (own.label, own.revision) == (CAT, 3)
        assert own.earlier.visits[0].session == evaluation.sessions["A"]
        assert study.labeling.active_ms("A", idle_after_ms=120_000) == 1500
        assert study.labeling.unfinished_trial("A") == other
        assert study.sessions.is_open("A", task=SessionTask.EVALUATE, since=START)


def test_a_trial_is_set_aside_and_taken_back_there_too(answering) -> None:
    evaluation, _hurried = answering
    aside = FlaggedTrial(
        flag=TrialFlag.NOT_SHOWN,
        note="",
        spent=TimeSpent(evaluation.answer().visits, 900),
        shown_at="2026-03-01T09:30:00.000Z",
        session_id=evaluation.sessions["A"],
    )
    trial_id = evaluation.trial()

    evaluation.do(lambda labeling: labeling.set_aside(trial_id, aside))

    assert evaluation.ask(lambda labeling: labeling.progress("A")).set_aside == 1
    assert evaluation.ask(lambda labeling: labeling.reopened(trial_id)).earlier == aside.spent
    with evaluation.store.read() as study:
        assert [p.set_aside for p in study.phases.facts().progress] == [1, 0]
        assert [labeler for labeler, _image in study.samples.not_shown()] == ["A"]
    evaluation.do(lambda labeling: labeling.take_back(trial_id))
    assert evaluation.ask(lambda labeling: labeling.progress("A")).set_aside == 0


def test_a_line_that_was_cut_while_idle_is_replaced_without_notice(answering) -> None:
    evaluation, hurried = answering
    answer = evaluation.answer()
    keep(hurried, answer.trial_id, "{}")
    with evaluation.store.write() as study:
        study.session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        )

    assert commit(hurried, answer) == 1


def test_a_server_that_stops_is_reported_and_takes_answers_when_it_is_back(
    answering, server
) -> None:
    evaluation, hurried = answering
    answer = evaluation.answer()
    server.stop()
    try:
        with pytest.raises(EnvironmentFault, match="can't be reached") as fault:
            commit(hurried, answer)
        assert hurried.database.address in str(fault.value)
    finally:
        server.resume()
    assert commit(hurried, answer) == 1


def test_an_answer_does_not_wait_long_for_another_writer(store, lead, clock, monkeypatch) -> None:
    monkeypatch.setattr("labeler.store.engine.database.SHORT_TIMEOUT_SECONDS", 1)
    evaluation = open_evaluation(store, lead, clock)
    answer = evaluation.answer()
    with store.hurried() as hurried:
        with store.write() as writer:
            writer.audit.record("something else")
            writer.session.flush()
            with pytest.raises(EnvironmentFault, match=r"busy.*for 1 seconds"):
                commit(hurried, answer)
        assert commit(hurried, answer) == 1


def test_a_training_works_there_too(store, lead, clock) -> None:
    lead.add(
        "pool",
        *(lead.image(f"{wnid}/{n}", wnid) for wnid in (FISH, CAT) for n in range(2)),
        role=DatasetRole.TRAINING,
        root="/pictures",
    )
    evaluation = open_evaluation(store, lead, clock)
    with store.write() as study:
        study.image_roles.put_in_training_pool("pool")
        study.phases.open(Phase.TRAIN)
        session = study.sessions.begin(
            "A", role=Role.LABELER, task=SessionTask.TRAIN, program_version="0.1"
        )
        pool = study.training.pool("A")
        request = TrainingRequest(seed=1)
        training = study.training.begin("A", request, [image.key for image in pool])
        study.families.save("A", SavedFamily("fish", (FISH,), shared=False))
    with store.read() as study:
        trials = study.training.trials(training)
        current = study.training.current("A")
    assert current is not None
    assert (len(pool), len(trials), current.request) == (4, 4, request)
    answer = evaluation.answer(trial_id=trials[0].trial_id, session_id=session, visits=())
    with store.hurried() as hurried:
        assert keep(hurried, trials[1].trial_id, "{}")
        stored = [commit(hurried, answer, SessionTask.TRAIN) for _ in range(2)]
    assert stored == [1, 1]

    with store.write() as study:
        study.training.note_shown(trials[1].trial_id, session_id=session, at="2026")
        study.training.insert(training, pool[0].key, position=2)
        result = study.training.answer(trials[0].trial_id)
        assert (result.label, result.target, result.right) == (answer.label, FISH, False)
        assert [trial.answered for trial in study.training.trials(training)] == [True] + [False] * 4
        assert sorted(image.times_shown for image in study.training.pool("A")) == [0, 0, 0, 1]
        assert len(study.training.planned(training)) == 5
        assert study.samples.trained_on() == []
        assert [family.wnids for family in study.families.of("A")] == [(FISH,)]
        study.training.end(training)
        assert study.training.current("A") is None
