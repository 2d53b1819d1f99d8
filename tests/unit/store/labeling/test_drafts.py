"""What a person had half done survives everything but being done or discarded."""

import signal

import pytest

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role, SessionTask

CONTENTS = {"label": "n02085620", "note": "ein Wörtchen ☂", "shortlist": ["n1", "n2"], "ms": 1200}

_KILLED = """
import os, signal, sys
from pathlib import Path
from labeler.core.clock import SystemClock
from labeler.core.study.entities import SessionTask
from labeler.store.study_opening import open_study
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    with store.write() as study:
        contents = {"label": "n02085620"}
        study.drafts.put("A", task=SessionTask.EVALUATE, subject="t1", contents=contents)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def _people(store) -> None:
    with store.write() as study:
        for code in "AB":
            person = Participant(code, ParticipantKind.HUMAN, "", frozenset({Role.LABELER}))
            study.participants.add(person)


def put(store, contents, *, participant="A", task=SessionTask.EVALUATE, subject="t1") -> None:
    with store.write() as study:
        study.drafts.put(participant, task=task, subject=subject, contents=contents)


def get(store, *, participant="A", task=SessionTask.EVALUATE, subject="t1"):
    with store.read() as study:
        return study.drafts.get(participant, task=task, subject=subject)


def test_a_draft_comes_back_as_it_was_put(store) -> None:
    put(store, CONTENTS)

    assert get(store) == CONTENTS


def test_the_latest_draft_on_a_subject_is_kept(store) -> None:
    put(store, CONTENTS)
    put(store, {"note": "second thoughts"})

    assert get(store) == {"note": "second thoughts"}


def test_drafts_of_others_other_tasks_and_other_subjects_stay_apart(store) -> None:
    put(store, CONTENTS)

    assert get(store, participant="B") is None
    assert get(store, task=SessionTask.TRAIN) is None
    assert get(store, subject="t2") is None


def test_a_discarded_draft_is_gone_and_discarding_nothing_is_no_error(store) -> None:
    put(store, CONTENTS)
    put(store, CONTENTS, subject="t2")
    for _ in range(2):
        with store.write() as study:
            study.drafts.discard("A", task=SessionTask.EVALUATE, subject="t1")

    assert get(store) is None
    assert get(store, subject="t2") == CONTENTS


def test_the_subjects_of_drafts_come_latest_first(store, clock) -> None:
    for subject in ("t1", "t2", "t1"):
        clock.go_on(seconds=1)
        put(store, CONTENTS, subject=subject)

    with store.read() as study:
        assert study.drafts.subjects("A", task=SessionTask.EVALUATE) == ["t1", "t2"]
        assert study.drafts.subjects("B", task=SessionTask.EVALUATE) == []


def test_a_draft_of_someone_unknown_is_refused(store) -> None:
    with pytest.raises(RefusedError, match="no participant 'C'"):
        put(store, CONTENTS, participant="C")


def test_a_draft_survives_a_program_killed_right_after(store, path, run) -> None:
    process = run(_KILLED, path)
    process.communicate(timeout=60)

    assert process.returncode == -signal.SIGKILL
    assert get(store) == {"label": "n02085620"}
