"""The journal of verdicts: in order, once each, whatever a crash leaves of its last line."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.app.review.verdict_writer import VerdictJournal, VerdictWriter, count_pending_verdicts
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import CommittedVerdict, Lap, OwnVerdict
from labeler.core.study.entities import AttentionPlace, CorrectKind, Stage, Verdict
from labeler.store.study.folder import StudyFolder
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

intervals = st.builds(
    AttentionInterval,
    st.sampled_from(AttentionPlace),
    st.integers(0, 10),
    st.integers(20, 30),
    st.lists(st.integers(10, 20)).map(sorted).map(tuple),
)
verdicts = st.builds(
    CommittedVerdict,
    visit_id=st.uuids().map(str),
    label=st.just("n01440764"),
    own=st.none()
    | st.builds(OwnVerdict, st.sampled_from(Verdict), st.none() | st.sampled_from(CorrectKind)),
    at=st.just("2026-03-01T09:30:00.000Z"),
    active_ms=st.none() | st.integers(0, 10_000),
    session_id=st.uuids().map(str),
    lap=st.none() | st.builds(Lap, st.integers(1, 9), st.lists(intervals, max_size=2).map(tuple)),
)


def journal(folder: Path, code: str = "R") -> VerdictJournal:
    return VerdictJournal(StudyFolder(folder), code, Stage.FINAL)


@settings(max_examples=25, deadline=None)
@given(st.lists(verdicts, max_size=5, unique=True))
def test_what_is_kept_is_read_back_in_order_and_once(
    tmp_path_factory: pytest.TempPathFactory, given_ones: list[CommittedVerdict]
) -> None:
    kept = journal(tmp_path_factory.mktemp("study"))
    for _twice in range(2):
        kept.keep(given_ones)
    assert kept.pending() == given_ones
    kept.clear()
    assert kept.pending() == []


@settings(max_examples=10, deadline=None)
@given(verdicts)
def test_a_torn_line_costs_itself_only(
    tmp_path_factory: pytest.TempPathFactory, given_one: CommittedVerdict
) -> None:
    kept = journal(tmp_path_factory.mktemp("study"))
    kept.keep([given_one])
    with kept.file.open("ab") as stream:
        stream.write(b'{"visit_id":"torn')
    assert kept.pending() == [given_one]


def test_each_reviewer_and_stage_has_a_journal_and_no_file_tells_whose(tmp_path: Path) -> None:
    one, other = journal(tmp_path, "Rosalind"), journal(tmp_path, "S")
    assert one.file != other.file
    assert "Rosalind" not in str(one.file)
    assert count_pending_verdicts(StudyFolder(tmp_path), Stage.INITIAL) == 0


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocked = journal(tmp_path)
    blocked.file.parent.parent.mkdir(parents=True, exist_ok=True)
    blocked.file.parent.write_text("no folder")
    one = CommittedVerdict(
        visit_id="v", label="n01440764", own=None, at="", active_ms=None, session_id="s"
    )
    with pytest.raises(EnvironmentFault, match="journal of verdicts can't be written"):
        blocked.keep([one])


def test_verdicts_given_during_a_failing_try_are_in_the_journal_when_that_is_announced(
    tmp_path: Path,
) -> None:
    first, second = (
        CommittedVerdict(
            visit_id=visit_id, label="n01440764", own=None, at="", active_ms=None, session_id="s"
        )
        for visit_id in ("first", "second")
    )
    runner, kept = LateRunner(), journal(tmp_path)
    announced: list[list[CommittedVerdict]] = []

    def commit(verdicts: Sequence[CommittedVerdict]) -> None:
        kept.keep(verdicts)
        raise EnvironmentFault("The disk is full.")

    writer = VerdictWriter(commit=commit, keep=kept.keep, runner=runner, clock=AdjustableClock())
    writer.listen(lambda: announced.append(kept.pending()))
    writer.store([first])
    writer.store([second])
    while not announced:
        runner.tickets.pop(0).finish()
    assert announced == [[first, second]]
