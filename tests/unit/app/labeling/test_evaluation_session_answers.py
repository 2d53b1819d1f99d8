"""Whatever the disk, another program or a crash does, no answer is lost or stored twice."""

import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.app.labeling.answer_writer import (
    IN_JOURNAL,
    NOWHERE,
    AnswerJournaled,
    AnswerStored,
    AnswerUnsaved,
)
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.study.phases import lock_phase
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.phases import Phase
from labeler.store.schema import DraftRow, IntervalRow, PredictionRow

DOG, CAT = "n02085620", "n02123045"

_HOLDS_THE_STUDY = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
print("let go", flush=True)
sys.stdin.readline()
"""

_KILLED = """
import os, signal, sys, uuid
from dataclasses import replace
from pathlib import Path
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.clock import SystemClock
from labeler.core.study.entities import AttentionPlace
from labeler.core.labeling.active_time import TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft
from labeler.store.study_opening import open_study
store = open_study(Path(sys.argv[1]), clock=SystemClock())
session = EvaluationSession(store, "A")
start = session.begin()
first, second = (trial.trial_id for trial in session.trials()[:2])
visits = (TrialVisit(start.session_id, (AttentionInterval(AttentionPlace.IMAGE, 0, 7000, (3,)),)),)
answer = CommittedAnswer(
    answer_id=str(uuid.uuid4()), trial_id=first, session_id=start.session_id, label="n02085620",
    shown_at="2026", submitted_at="2026", active_ms=7000, wall_ms=7000, visits=visits,
)
outcome = session.answers.commit(answer)
draft = AnswerDraft(label="n02123045", note="half", shown_at="2026", since=TimeSpent(visits, 7000))
session.keep(second, replace(draft, shortlist=("n02123045",), query="tabby"))
os.write(1, f"{type(outcome).__name__} {answer.answer_id} {second}\\n".encode())
os.kill(os.getpid(), signal.SIGKILL)
"""


def predictions(store) -> list[PredictionRow]:
    with store.read() as study:
        return list(study.session.scalars(select(PredictionRow).order_by(PredictionRow.revision)))


def waiting(store) -> list[str]:
    return [answer.answer_id for answer in AnswerJournal(store.folder, "A").pending().answers]


def log_of(store) -> Path:
    return Path(f"{store.folder.database}-wal")


@contextmanager
def full_disk(*, beyond: int = 0) -> Iterator[None]:
    """No file of this process can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (beyond, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture
def busy(store, monkeypatch):
    """Another program that writes to the study, and a labeler who gives up at once."""
    monkeypatch.setattr("labeler.store.engine.database.SHORT_TIMEOUT_SECONDS", 0)
    with closing(sqlite3.connect(store.folder.database, isolation_level=None)) as other:
        yield other


def test_an_answer_is_stored_and_acknowledged_with_its_revision(store, driver) -> None:
    first, second = driver.answer(), driver.answer(label=CAT)

    assert driver.session.answers.commit(first) == AnswerStored(first.answer_id, 1)
    assert driver.session.answers.commit(second) == AnswerStored(second.answer_id, 2)
    assert driver.session.answers.commit(first) == AnswerStored(first.answer_id, 1), (
        "said again, stored once"
    )
    assert [row.id for row in predictions(store)] == [first.answer_id, second.answer_id]
    assert not store.folder.journal.exists()


def test_an_answer_ends_its_trials_draft(store, driver) -> None:
    driver.session.keep(driver.trial(1), driver.kept())
    driver.session.keep(driver.trial(2), driver.kept())

    driver.session.answers.commit(driver.answer(1))

    with store.read() as study:
        assert study.session.scalars(select(DraftRow.subject)).all() == [driver.trial(2)]


def test_a_refusal_passes_through_and_leaves_nothing_in_the_journal(store, driver) -> None:
    lock_phase(store, Phase.EVALUATE, unfinished=True)

    with pytest.raises(RefusedError, match="evaluation isn't open"):
        driver.session.answers.commit(driver.answer())
    assert waiting(store) == []


def test_an_answer_waits_in_the_journal_while_another_program_holds_the_study(
    store, busy, open_session
) -> None:
    driver = open_session()
    answer = driver.answer()
    busy.execute("BEGIN IMMEDIATE")

    outcomes = [driver.session.answers.commit(answer) for _ in range(2)]

    assert {type(outcome) for outcome in outcomes} == {AnswerJournaled}
    assert "The study is busy" in outcomes[0].sentence
    assert IN_JOURNAL in outcomes[0].sentence
    assert waiting(store) == [answer.answer_id]
    assert AnswerJournal(store.folder, "A").file.read_bytes().count(b"\n") == 1, "written once"

    busy.execute("ROLLBACK")

    assert driver.session.answers.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert waiting(store) == []
    assert AnswerJournal(store.folder, "A").file.read_bytes() == b"", "the journal begins anew"


def test_a_labeler_does_not_wait_a_minute_for_another_program(store, driver, run) -> None:
    program = run(_HOLDS_THE_STUDY, store.folder.database)
    assert program.stdout.readline() == "held\n"
    answer = driver.answer()

    outcome = driver.session.answers.commit(answer)

    assert isinstance(outcome, AnswerJournaled)
    assert "for 3 seconds" in outcome.sentence
    program.stdin.write("\n")
    program.stdin.flush()
    assert program.stdout.readline() == "let go\n"
    assert driver.session.answers.commit(answer) == AnswerStored(answer.answer_id, 1)


def test_a_draft_that_finds_the_study_busy_says_so_and_the_next_is_kept(busy, open_session) -> None:
    driver = open_session()
    busy.execute("BEGIN IMMEDIATE")
    with pytest.raises(EnvironmentFault, match="The study is busy"):
        driver.session.keep(driver.trial(), driver.kept())
    busy.execute("ROLLBACK")

    driver.session.keep(driver.trial(), driver.kept())

    assert driver.session.open_trial(driver.trial()).draft == driver.kept()


def test_an_answer_that_nothing_can_take_is_reported_and_stored_later(store, driver) -> None:
    answer = driver.answer()
    with full_disk():
        outcome = driver.session.answers.commit(answer)

    assert isinstance(outcome, AnswerUnsaved)
    assert NOWHERE in outcome.sentence
    assert predictions(store) == []
    assert driver.session.answers.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert len(predictions(store)) == 1


def test_an_answer_waits_in_the_journal_when_only_that_has_room(store, driver) -> None:
    driver.session.answers.commit(driver.answer(1))
    answer = driver.answer(2)
    with full_disk(beyond=log_of(store).stat().st_size):
        outcome = driver.session.answers.commit(answer)

    assert isinstance(outcome, AnswerJournaled)
    assert outcome.sentence.startswith("The disk failed while the study was read or written.")
    assert waiting(store) == [answer.answer_id]
    assert driver.session.answers.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert waiting(store) == []


def test_what_waited_is_stored_when_the_next_session_begins(store, driver, open_session) -> None:
    answer = driver.answer()
    AnswerJournal(store.folder, "A").append(answer)
    driver.session.end()

    later = open_session()

    assert later.start.replayed.stored == (answer.answer_id,)
    assert later.trials[0].answered
    assert waiting(store) == []


def test_answers_are_not_locked_while_one_waits_that_cannot_be_stored(store, driver) -> None:
    driver.answer_all()
    AnswerJournal(store.folder, "A").append(driver.answer(label="n00000000"))

    with pytest.raises(
        RefusedError, match=r"1 answer waits in the journal.*no class of this study"
    ):
        driver.session.lock()
    with store.read() as study:
        assert not study.labeling.is_locked("A")


def test_an_answer_that_waited_is_stored_before_the_lock(store, driver) -> None:
    driver.answer_all()
    AnswerJournal(store.folder, "A").append(driver.answer(label=CAT))

    driver.session.lock()

    assert [row.revision for row in predictions(store)] == [1, 1, 1, 1, 2]


def test_an_answer_and_a_draft_survive_a_program_that_is_killed(store, open_session, run) -> None:
    process = run(_KILLED, store.folder.path)
    result, answer_id, half_done = process.communicate(timeout=60)[0].split()
    assert (result, process.returncode) == ("AnswerStored", -signal.SIGKILL)

    driver = open_session()

    assert [row.id for row in predictions(store)] == [answer_id]
    assert (driver.start.first, driver.start.resumed) == (half_done, True)
    kept = driver.session.open_trial(half_done).draft
    assert (kept.label, kept.note) == ("n02123045", "half")
    assert (kept.shortlist, kept.query) == (("n02123045",), "tabby")
    assert kept.since.active_ms(idle_after_ms=120_000) == 7000
    # The time of the killed session is stored with the answer that ends the trial.
    driver.session.answers.commit(driver.answer(2, visits=kept.since.visits))
    with store.read() as study:
        rows = study.session.scalars(select(IntervalRow).filter_by(trial_id=half_done)).all()
    assert [(row.ended_ms, row.session_id) for row in rows] == [
        (7000, kept.since.visits[0].session)
    ]


def test_a_desk_that_never_began_ends_without_a_trace(store) -> None:
    EvaluationSession(store, "A").end()

    with store.read() as study:
        assert study.sessions.of("A") == []
