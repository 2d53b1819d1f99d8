"""No answer is lost while the database can't take it, and none is stored twice afterwards."""

import os
import re
import signal
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.labeling.answer_journal import AnswerJournal, replay_journal
from labeler.app.study.phases import lock_phase, open_phase, pending_text
from labeler.core.errors import DISK_FULL, EnvironmentFault, RefusedError
from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import AttentionPlace, Role, SessionTask
from labeler.core.study.phases import Phase
from labeler.store.study.folder import StudyFolder
from labeler.store.study_opening import open_study

ANSWER = CommittedAnswer(
    answer_id="11111111-1111-4111-8111-111111111111",
    trial_id="22222222-2222-4222-8222-222222222222",
    session_id="33333333-3333-4333-8333-333333333333",
    label="n02085620",
    alternative="n02123045",
    confidence=3,
    note="ein Wörtchen\nund \u2028 noch eins",
    knows_image=True,
    shown_at="2026-03-01T09:30:00.000Z",
    submitted_at="2026-03-01T09:31:00.000Z",
    active_ms=50_000,
    wall_ms=60_000,
    visits=(
        TrialVisit(
            "55555555-5555-4555-8555-555555555555", (AttentionInterval(AttentionPlace.IMAGE, 7, 9),)
        ),
        TrialVisit(
            "33333333-3333-4333-8333-333333333333",
            (
                AttentionInterval(AttentionPlace.IMAGE, 0, 400, (5, 6)),
                AttentionInterval(AttentionPlace.GUIDE, 400, 2**40, (2**40,)),
            ),
        ),
    ),
)
OTHER = replace(ANSWER, answer_id="44444444-4444-4444-8444-444444444444", visits=())

_KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.study.folder import StudyFolder
answer = CommittedAnswer(
    answer_id="first", trial_id="t", session_id="s", label="n02085620",
    shown_at="2026", submitted_at="2026", active_ms=1, wall_ms=1,
)
journal = AnswerJournal(StudyFolder(Path(sys.argv[1])), "A")
journal.append(answer)
journal.append(replace(answer, answer_id="second"))
os.kill(os.getpid(), signal.SIGKILL)
"""

# Settles most of what it appends, so that the journal has nothing to keep again and again.
_APPENDING = """
import sys
from dataclasses import replace
from pathlib import Path
from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.study.folder import StudyFolder
answer = CommittedAnswer(
    answer_id="first", trial_id="t", session_id="s", label="n02085620",
    shown_at="2026", submitted_at="2026", active_ms=1, wall_ms=1,
)
journal = AnswerJournal(StudyFolder(Path(sys.argv[1])), "A")
print("begun", flush=True)
for number in range(200):
    journal.append(replace(answer, answer_id=f"settled {number}"))
    journal.settle(f"settled {number}")
for number in range(200):
    journal.append(replace(answer, answer_id=f"kept {number}"))
"""


@pytest.fixture
def journal(tmp_path: Path) -> AnswerJournal:
    return AnswerJournal(StudyFolder(tmp_path), "A")


def test_a_journal_begins_empty_and_leaves_no_trace(journal) -> None:
    assert (journal.pending().answers, journal.pending().torn_lines) == ((), 0)
    assert not journal.file.parent.exists()


def test_an_answer_comes_back_as_it_was_appended(journal) -> None:
    journal.append(ANSWER)
    journal.append(OTHER)

    assert journal.pending().answers == (ANSWER, OTHER)


def test_a_settled_answer_waits_no_longer(journal) -> None:
    journal.append(ANSWER)
    journal.append(OTHER)
    journal.settle(ANSWER.answer_id)

    assert journal.pending().answers == (OTHER,)


def test_an_answer_appended_by_every_retry_waits_once(journal) -> None:
    for _ in range(3):
        journal.append(ANSWER)

    assert journal.pending().answers == (ANSWER,)


def test_lines_are_only_ever_appended(journal) -> None:
    journal.append(ANSWER)
    before = journal.file.read_bytes()
    journal.settle(ANSWER.answer_id)

    assert journal.file.read_bytes().startswith(before)
    assert journal.file.read_bytes().count(b"\n") == 2


def test_a_journal_begins_anew_when_nothing_waits(journal) -> None:
    journal.append(ANSWER)
    journal.compact()
    assert journal.pending().answers == (ANSWER,), "what waits stays"

    journal.settle(ANSWER.answer_id)
    journal.compact()

    assert journal.file.read_bytes() == b""
    journal.append(OTHER)
    assert journal.pending().answers == (OTHER,)


def test_a_journal_that_is_not_there_stays_away_when_compacted(journal) -> None:
    journal.compact()

    assert not journal.file.parent.exists()


def test_torn_lines_are_kept_aside_when_a_journal_begins_anew(journal) -> None:
    journal.append(ANSWER)
    torn = journal.file.read_bytes()[:40]
    for _ in range(2):
        journal.file.write_bytes(torn)
        journal.compact()

    assert (journal.pending().answers, journal.pending().torn_lines) == ((), 0)
    kept = sorted(file for file in journal.file.parent.iterdir() if file != journal.file)
    assert [file.read_bytes() for file in kept] == [torn, torn]


def test_nothing_is_lost_when_another_window_appends_while_the_journal_begins_anew(
    tmp_path, journal, run
) -> None:
    process = run(_APPENDING, tmp_path)
    assert process.stdout.readline() == "begun\n"
    while process.poll() is None:
        journal.compact()
    assert process.returncode == 0

    assert [answer.answer_id for answer in journal.pending().answers] == [
        f"kept {number}" for number in range(200)
    ]
    assert journal.pending().torn_lines == 0


def test_participants_have_journals_of_their_own(tmp_path) -> None:
    files = {AnswerJournal(StudyFolder(tmp_path), code).file for code in ("A", "a", "..", "B:C")}

    assert len(files) == 4
    assert {file.parent for file in files} == {tmp_path / "journal"}


@pytest.mark.parametrize("kept", [1, 40, -2])
def test_a_line_torn_by_a_crash_is_passed_over_and_told(journal, kept) -> None:
    journal.append(ANSWER)
    whole = journal.file.read_bytes()
    journal.append(OTHER)
    torn = journal.file.read_bytes()[len(whole) :][:kept]
    journal.file.write_bytes(whole + torn)

    assert (journal.pending().answers, journal.pending().torn_lines) == ((ANSWER,), 1)

    journal.append(OTHER)
    assert (journal.pending().answers, journal.pending().torn_lines) == ((ANSWER, OTHER), 1)


def test_a_line_that_lacks_only_its_end_still_counts(journal) -> None:
    journal.append(ANSWER)
    journal.file.write_bytes(journal.file.read_bytes()[:-1])
    journal.append(OTHER)

    assert (journal.pending().answers, journal.pending().torn_lines) == ((ANSWER, OTHER), 0)


@pytest.mark.parametrize("line", [b"7", b"[]", b'"answer"', b"null", b"{}", b"\xff\xfe", b"\0\0"])
def test_a_line_that_is_no_entry_is_passed_over_and_told(journal, line) -> None:
    journal.append(ANSWER)
    journal.file.write_bytes(line + b"\n" + journal.file.read_bytes())

    assert (journal.pending().answers, journal.pending().torn_lines) == ((ANSWER,), 1)


def test_what_was_appended_survives_a_program_killed_right_after(tmp_path, journal, run) -> None:
    process = run(_KILLED, tmp_path)
    process.communicate(timeout=60)

    assert process.returncode == -signal.SIGKILL
    assert [answer.answer_id for answer in journal.pending().answers] == ["first", "second"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told_in_a_sentence(journal) -> None:
    journal.file.parent.mkdir()
    journal.file.symlink_to("/dev/full")

    with pytest.raises(EnvironmentFault, match=rf"{re.escape(DISK_FULL)} .*stays on the"):
        journal.append(ANSWER)


def test_a_folder_that_is_none_is_told_in_a_sentence(journal) -> None:
    journal.file.parent.write_bytes(b"")

    with pytest.raises(EnvironmentFault, match="can't be written"):
        journal.append(ANSWER)
    with pytest.raises(EnvironmentFault, match="can't be read"):
        journal.pending()


@pytest.fixture
def study_store(healthy, clock):
    with open_study(healthy, clock=clock) as store:
        open_phase(store, Phase.EVALUATE)
        yield store


@pytest.fixture
def answer(study_store) -> CommittedAnswer:
    """An answer to the first trial of labeler A."""
    with study_store.write() as study:
        study.labeling.prepare_trials("A")
        session_id = study.sessions.begin(
            "A", role=Role.LABELER, task=SessionTask.EVALUATE, program_version="0.1"
        )
        trial = study.labeling.next_unanswered("A")
    assert trial is not None
    visits = tuple(replace(visit, session=session_id) for visit in ANSWER.visits)
    return replace(ANSWER, trial_id=trial.trial_id, session_id=session_id, visits=visits)


def own_answer(store, answer: CommittedAnswer):
    with store.read() as study:
        return study.labeling.reopened(answer.trial_id)


def test_answers_that_waited_are_stored_in_order_and_settled(study_store, answer) -> None:
    journal = AnswerJournal(study_store.folder, "A")
    later = replace(answer, answer_id=str(uuid.uuid4()), note="second thoughts")
    journal.append(answer)
    journal.append(later)

    replayed = replay_journal(study_store, journal)

    assert replayed.stored == (answer.answer_id, later.answer_id)
    assert own_answer(study_store, answer).note == "second thoughts"
    assert own_answer(study_store, answer).revision == 3
    assert journal.pending().answers == ()


def test_an_answer_stored_just_before_the_crash_is_not_doubled(study_store, answer) -> None:
    journal = AnswerJournal(study_store.folder, "A")
    journal.append(answer)
    with study_store.write() as study:
        study.answers.commit(answer)

    assert replay_journal(study_store, journal).stored == (answer.answer_id,)
    assert replay_journal(study_store, journal).stored == ()
    assert own_answer(study_store, answer).revision == 2


def test_an_answer_that_is_refused_is_told_and_goes_on_waiting(study_store, answer) -> None:
    journal = AnswerJournal(study_store.folder, "A")
    lock_phase(study_store, Phase.EVALUATE, unfinished=True)
    journal.append(answer)

    replayed = replay_journal(study_store, journal)

    assert replayed.stored == ()
    ((answer_id, reason),) = replayed.refused
    assert answer_id == answer.answer_id
    assert "evaluation isn't open" in reason
    assert journal.pending().answers == (answer,)


def test_the_evaluation_is_not_locked_over_an_answer_that_waits(study_store, answer) -> None:
    journal = AnswerJournal(study_store.folder, "A")
    journal.append(answer)
    with pytest.raises(RefusedError, match=pending_text(1, "answer", "labeler")):
        lock_phase(study_store, Phase.EVALUATE, unfinished=True)

    replay_journal(study_store, journal)

    lock_phase(study_store, Phase.EVALUATE, unfinished=True)


def test_a_journal_tells_nothing_that_a_labeler_must_not_know(study_store, answer) -> None:
    journal = AnswerJournal(study_store.folder, "A")
    journal.append(answer)
    with study_store.read() as study:
        names = {word for key in study.samples.images() for word in (key.dataset, key.image)}

    contents = journal.file.read_text() + os.fspath(
        journal.file.relative_to(study_store.folder.path)
    )
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", contents)]
    assert ".JPEG" not in contents
