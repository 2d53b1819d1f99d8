"""From a bundle to the lead's study and back: nothing lost, nothing of others, in any order."""

import json
import shutil
import uuid
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.sharing.lead_sharing import LeadSharing
from labeler.app.sharing.merge import accept_late_answers, late_answers, merge_results
from labeler.core.clock import stamp
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.exchange.exporter import export_exchange
from labeler.store.schema import (
    ChainEntryRow,
    IntervalRow,
    ParticipantRow,
    PhaseRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)
from labeler.store.sharing.results_file import open_results
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.shared_packed_demo import Lead, Person
from tests.unit.app.sharing.conftest import Opener


def merge(lead: Lead, *files: Path):
    """Merge the files, with the fingerprints of their keys confirmed."""
    confirmed = [open_results(f.read_bytes(), lead.keys.private).writer_id for f in files]
    return merge_results(lead.store, files, keys=lead.keys, confirmed=confirmed)


def answers(store: StudyStore, code: str) -> list[tuple[str, int, int]]:
    """Return a labeler's answers: trial, revision and class."""
    with store.read() as study:
        query = (
            select(PredictionRow.trial_id, PredictionRow.revision, PredictionRow.class_id)
            .join(ParticipantRow, ParticipantRow.id == PredictionRow.participant_id)
            .where(ParticipantRow.code == code)
            .order_by(PredictionRow.trial_id, PredictionRow.revision)
        )
        return [tuple(row) for row in study.session.execute(query)]


def table(store: StudyStore, row) -> list[tuple]:
    with store.read() as study:
        return sorted(map(tuple, study.session.execute(select(row.__table__))), key=repr)


def test_answers_in_a_bundle_arrive_at_the_lead(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(5)
    merge(lead, person.save("week 1"))
    assert [label for _trial, _revision, label in answers(lead.store, "A")] != []
    assert sorted(label for *_rest, label in answers(lead.store, "A")) == [0, 1, 2, 3, 4]
    with lead.store.read() as study:
        assert study.labeling.progress("A").answered == 5
        assert len(study.session.scalars(select(IntervalRow)).all()) == 5


def test_the_order_of_the_trials_is_the_one_of_the_study(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(3)
    merge(lead, person.save("week 1"))
    with lead.store.read() as study:
        done = [trial.position for trial in study.labeling.trials("A") if trial.answered]
    assert done == [1, 2, 3]


def test_merging_again_changes_nothing(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(4)
    file = person.save("week 1")
    merge(lead, file)
    before = answers(lead.store, "A"), table(lead.store, SessionRow)
    (again,) = merge(lead, file)
    assert again.outcome.new_entries == 0
    assert (answers(lead.store, "A"), table(lead.store, SessionRow)) == before


def test_a_preview_changes_nothing(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(2)
    (seen,) = merge_results(lead.store, [person.save("x")], keys=lead.keys, preview=True)
    assert seen.outcome.new_decisions == 2
    assert not seen.outcome.is_confirmed
    assert answers(lead.store, "A") == []


def test_an_unknown_key_has_to_be_confirmed(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(1)
    file = person.save("x")
    with pytest.raises(RefusedError) as refused:
        merge_results(lead.store, [file], keys=lead.keys)
    assert answers(lead.store, "A") == []
    (seen,) = merge_results(lead.store, [file], keys=lead.keys, preview=True)
    assert seen.outcome.writer_id in str(refused.value)


def test_a_shorter_chain_than_merged_before_is_reported(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    person.answer(2)
    early = person.save("week 1")
    person.answer(3)
    merge(lead, person.save("week 2"))
    (again,) = merge(lead, early)
    assert again.outcome.missing_entries > 0
    assert len(answers(lead.store, "A")) == 5


def exported_after(lead: Lead, files: list[Path], folder: Path) -> dict[str, str]:
    """Merge the files one by one into a copy of the study, and return its export."""
    folder.mkdir(parents=True)
    shutil.copyfile(lead.store.folder.database, folder / "study.db")
    with open_study(folder, clock=lead.store.clock) as store:
        copy = Lead(store, folder, lead.pack)
        for file in files:
            merge(copy, file)
        export_exchange(store, folder / "export", history=True)
    found = {f.name: f.read_text(encoding="utf-8") for f in (folder / "export").glob("*.csv")}
    shutil.rmtree(folder)
    return found


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(order=st.permutations(range(4)), again=st.lists(st.integers(0, 3), max_size=2))
def test_every_order_of_merging_gives_the_same_export(
    lead: Lead, weekly: list[Path], tmp_path: Path, order: list[int], again: list[int]
) -> None:
    folder = tmp_path / uuid.uuid4().hex
    usual = exported_after(lead, weekly, folder / "usual")
    files = [weekly[number] for number in (*order, *again)]
    assert exported_after(lead, files, folder / "other") == usual
    assert usual["predictions.csv"].count("\n") == 1 + 3 + 2 + 4 + 3


@pytest.fixture
def weekly(lead: Lead, opened: Opener) -> list[Path]:
    """Results of two people, one of whom also works with a copy of the bundle elsewhere."""
    of_a = lead.bundle("A")
    first = opened("A", of=of_a)
    first.answer(3)
    files = [first.save("A 1")]
    first.answer(2, lambda n: 100 + n)
    files.append(first.save("A 2"))
    second = opened("A", of=of_a, computer="second")
    second.answer(4, lambda n: 200 + n)
    files.append(second.save("A second"))
    other = opened("B")
    other.answer(3, lambda n: 300 + n)
    files.append(other.save("B"))
    lead.store.database.engine.dispose()  # writes the log into the file that is copied
    return files


def test_of_two_answers_to_a_trial_the_later_one_counts(lead: Lead, opened: Opener) -> None:
    of_a = lead.bundle("A")
    first = opened("A", of=of_a)
    first.answer(1, lambda _n: 7)
    early = first.save("early")
    second = opened("A", of=of_a, computer="second")
    second.answer(1, lambda _n: 8)
    merge(lead, second.save("late"))
    (merged,) = merge(lead, early)
    assert merged.outcome.conflicts == 1
    assert [(revision, label) for _trial, revision, label in answers(lead.store, "A")] == [
        (1, 7),
        (2, 8),
    ]


def lock_evaluation(lead: Lead) -> None:
    with lead.store.write() as study:
        row = study.session.get_one(PhaseRow, Phase.EVALUATE)
        row.state, row.locked_at = PhaseState.LOCKED, stamp(lead.store.clock.utc())


def test_answers_after_the_lock_count_once_the_lead_accepts_them(
    lead: Lead, opened: Opener
) -> None:
    person = opened("A")
    person.answer(2)
    lock_evaluation(lead)
    person.answer(1)
    (merged,) = merge(lead, person.save("x"))
    assert merged.outcome.late == 1
    assert len(answers(lead.store, "A")) == 2
    assert [one.accepted for one in late_answers(lead.store)] == [False]
    sharing = LeadSharing(lead.store)
    assert sharing.waiting_answers() == {"A": 1}
    assert sharing.accept_late(["A"]) == ("1 late answer of A accepted.",)
    assert sharing.waiting_answers() == {}
    assert accept_late_answers(lead.store, "A") == 0
    assert len(answers(lead.store, "A")) == 3


def finish(person: Person) -> None:
    person.answer(1000)
    session = EvaluationSession(person.store, person.code)
    session.begin()
    session.lock()
    session.end()


def test_after_the_lock_only_the_lead_can_read_the_answers(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    finish(person)
    with person.store.read() as study:
        assert set(study.session.scalars(select(PredictionRow.class_id))) == {0}
        entries = study.session.scalars(select(ChainEntryRow.content)).all()
        assert not any("prediction" in content for content in entries)
        assert not study.session.scalars(select(IntervalRow)).all()
        total = study.labeling.progress("A").total
    merge(lead, person.save("all"))
    assert len(answers(lead.store, "A")) == total
    assert {label for *_rest, label in answers(lead.store, "A")} != {0}
    with lead.store.read() as study:
        assert study.labeling.is_locked("A")
    person.reopen()
    (again,) = merge(lead, person.save("again"))
    assert again.outcome.new_decisions == 0


def test_results_of_another_study_are_refused(lead: Lead, opened: Opener, tmp_path: Path) -> None:
    person = opened("A")
    person.answer(1)
    file = person.save("x")
    document = json.loads(file.read_text(encoding="utf-8"))
    document["bundle_id"] = "00000000-0000-0000-0000-000000000000"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.labelerresults"):
        merge_results(lead.store, [file], keys=lead.keys, preview=True)


@pytest.mark.parametrize("damage", ["", "{}", "[1]", "null", '{"format": "labeler results 1"}'])
def test_a_file_that_is_no_results_file_is_refused(lead: Lead, tmp_path: Path, damage: str) -> None:
    file = tmp_path / "bad.labelerresults"
    file.write_text(damage, encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.labelerresults"):
        merge_results(lead.store, [file], keys=lead.keys)


def test_trials_that_are_merged_stay_those_of_the_lead(lead: Lead, opened: Opener) -> None:
    person = opened("A")
    with lead.store.read() as study:
        before = set(study.session.scalars(select(TrialRow.id)))
    person.answer(3)
    merge(lead, person.save("x"))
    with lead.store.read() as study:
        assert set(study.session.scalars(select(TrialRow.id))) == before
