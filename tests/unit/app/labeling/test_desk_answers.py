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
from labeler.app.labeling.answer_writer import AnswerJournaled, AnswerStored, AnswerUnsaved
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
from pathlib import Path
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.trial_draft import SavedTrial
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.clock import SystemClock
from labeler.core.study.entities import AttentionPlace
from labeler.core.labeling.active_time import TimeSpent, TrialVisit
from labeler.core.labeling.answers import TrialDraft
from labeler.store.study_opening import open_study
store = open_study(Path(sys.argv[1]), clock=SystemClock())
desk = EvaluationSession(store, "A")
begun = desk.begin()
first, second = (trial.trial_id for trial in desk.trials()[:2])
visits = (TrialVisit(begun.session_id, (AttentionInterval(AttentionPlace.IMAGE, 0, 7000, (3,)),)),)
answer = CommittedAnswer(
    answer_id=str(uuid.uuid4()), trial_id=first, session_id=begun.session_id, label="n02085620",
    shown_at="2026", submitted_at="2026", active_ms=7000, wall_ms=7000, visits=visits,
)
outcome = desk.commit(answer)
draft = TrialDraft(label="n02123045", note="half", shown_at="2026", since=TimeSpent(visits, 7000))
desk.keep(second, SavedTrial(draft, ("n02123045",), "tabby"))
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


def test_an_answer_is_stored_and_acknowledged_with_its_revision(store, sitting) -> None:
    first, second = sitting.answer(), sitting.answer(label=CAT)

    assert sitting.desk.commit(first) == AnswerStored(first.answer_id, 1)
    assert sitting.desk.commit(second) == AnswerStored(second.answer_id, 2)
    assert sitting.desk.commit(first) == AnswerStored(first.answer_id, 1), "said again, stored once"
    assert [row.id for row in predictions(store)] == [first.answer_id, second.answer_id]
    assert not store.folder.journal.exists()


def test_an_answer_ends_its_trials_draft(store, sitting) -> None:
    sitting.desk.keep(sitting.trial(1), sitting.kept())
    sitting.desk.keep(sitting.trial(2), sitting.kept())

    sitting.desk.commit(sitting.answer(1))

    with store.read() as study:
        assert study.session.scalars(select(DraftRow.subject)).all() == [sitting.trial(2)]


def test_a_refusal_passes_through_and_leaves_nothing_in_the_journal(store, sitting) -> None:
    lock_phase(store, Phase.EVALUATE, unfinished=True)

    with pytest.raises(RefusedError, match="evaluation isn't open"):
        sitting.desk.commit(sitting.answer())
    assert waiting(store) == []


def test_an_answer_waits_in_the_journal_while_another_program_holds_the_study(
    store, busy, sit_down
) -> None:
    sitting = sit_down()
    answer = sitting.answer()
    busy.execute("BEGIN IMMEDIATE")

    outcomes = [sitting.desk.commit(answer) for _ in range(2)]

    assert {type(outcome) for outcome in outcomes} == {AnswerJournaled}
    assert "The study is busy" in outcomes[0].sentence
    assert "safe in a journal" in outcomes[0].sentence
    assert waiting(store) == [answer.answer_id]
    assert AnswerJournal(store.folder, "A").file.read_bytes().count(b"\n") == 1, "written once"

    busy.execute("ROLLBACK")

    assert sitting.desk.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert waiting(store) == []
    assert AnswerJournal(store.folder, "A").file.read_bytes() == b"", "the journal begins anew"


def test_a_labeler_does_not_wait_a_minute_for_another_program(store, sitting, run) -> None:
    program = run(_HOLDS_THE_STUDY, store.folder.database)
    assert program.stdout.readline() == "held\n"
    answer = sitting.answer()

    outcome = sitting.desk.commit(answer)

    assert isinstance(outcome, AnswerJournaled)
    assert "for 3 seconds" in outcome.sentence
    program.stdin.write("\n")
    program.stdin.flush()
    assert program.stdout.readline() == "let go\n"
    assert sitting.desk.commit(answer) == AnswerStored(answer.answer_id, 1)


def test_a_draft_that_finds_the_study_busy_says_so_and_the_next_is_kept(busy, sit_down) -> None:
    sitting = sit_down()
    busy.execute("BEGIN IMMEDIATE")
    with pytest.raises(EnvironmentFault, match="The study is busy"):
        sitting.desk.keep(sitting.trial(), sitting.kept())
    busy.execute("ROLLBACK")

    sitting.desk.keep(sitting.trial(), sitting.kept())

    assert sitting.desk.open_trial(sitting.trial()).kept == sitting.kept()


def test_an_answer_that_nothing_can_take_is_told_and_stored_later(store, sitting) -> None:
    answer = sitting.answer()
    with full_disk():
        outcome = sitting.desk.commit(answer)

    assert isinstance(outcome, AnswerUnsaved)
    assert "on this screen only" in outcome.sentence
    assert predictions(store) == []
    assert sitting.desk.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert len(predictions(store)) == 1


def test_an_answer_waits_in_the_journal_when_only_that_has_room(store, sitting) -> None:
    sitting.desk.commit(sitting.answer(1))
    answer = sitting.answer(2)
    with full_disk(beyond=log_of(store).stat().st_size):
        outcome = sitting.desk.commit(answer)

    assert isinstance(outcome, AnswerJournaled)
    assert outcome.sentence.startswith("The disk failed while the study was read or written.")
    assert waiting(store) == [answer.answer_id]
    assert sitting.desk.commit(answer) == AnswerStored(answer.answer_id, 1)
    assert waiting(store) == []


def test_what_waited_is_stored_when_the_next_session_begins(store, sitting, sit_down) -> None:
    answer = sitting.answer()
    AnswerJournal(store.folder, "A").append(answer)
    sitting.desk.end()

    later = sit_down()

    assert later.begun.replayed.stored == (answer.answer_id,)
    assert later.trials[0].answered
    assert waiting(store) == []


def test_answers_are_not_locked_while_one_waits_that_cannot_be_stored(store, sitting) -> None:
    sitting.answer_all()
    AnswerJournal(store.folder, "A").append(sitting.answer(label="n00000000"))

    with pytest.raises(
        RefusedError, match=r"1 answer waits in the journal.*no class of this study"
    ):
        sitting.desk.lock()
    with store.read() as study:
        assert not study.labeling.is_locked("A")


def test_an_answer_that_waited_is_stored_before_the_lock(store, sitting) -> None:
    sitting.answer_all()
    AnswerJournal(store.folder, "A").append(sitting.answer(label=CAT))

    sitting.desk.lock()

    assert [row.revision for row in predictions(store)] == [1, 1, 1, 1, 2]


def test_an_answer_and_a_draft_survive_a_program_that_is_killed(store, sit_down, run) -> None:
    process = run(_KILLED, store.folder.path)
    told, answer_id, half_done = process.communicate(timeout=60)[0].split()
    assert (told, process.returncode) == ("AnswerStored", -signal.SIGKILL)

    sitting = sit_down()

    assert [row.id for row in predictions(store)] == [answer_id]
    assert (sitting.begun.first, sitting.begun.resumed) == (half_done, True)
    kept = sitting.desk.open_trial(half_done).kept
    assert (kept.draft.label, kept.draft.note) == ("n02123045", "half")
    assert (kept.shortlist, kept.query) == (("n02123045",), "tabby")
    assert kept.draft.since.active_ms(idle_after_ms=120_000) == 7000
    # The time of the killed session is stored with the answer that ends the trial.
    sitting.desk.commit(sitting.answer(2, visits=kept.draft.since.visits))
    with store.read() as study:
        rows = study.session.scalars(select(IntervalRow).filter_by(trial_id=half_done)).all()
    assert [(row.ended_ms, row.session_id) for row in rows] == [
        (7000, kept.draft.since.visits[0].session)
    ]


def test_drafts_put_the_log_in_order_before_a_commit_would_have_to(store, sitting) -> None:
    for _ in range(60):
        sitting.desk.commit(sitting.answer())
        sitting.desk.keep(sitting.trial(2), sitting.kept())

    assert len(predictions(store)) == 60
    # Left alone the log would hold every page of every commit, nearly 400.
    assert log_of(store).stat().st_size < 250 * 4096


def test_a_desk_that_never_began_ends_without_a_trace(store) -> None:
    EvaluationSession(store, "A").end()

    with store.read() as study:
        assert study.sessions.of("A") == []
