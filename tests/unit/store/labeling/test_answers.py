"""An answer is stored whole, once, for good, and never in place of an earlier one."""

import signal
import uuid
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import AttentionPlace, ExposureOccasion, Role, SessionTask
from labeler.store.labeling.trial_time import unpack_inputs
from labeler.store.schema import (
    ExposureRow,
    IntervalRow,
    PredictionRow,
    TrialRow,
)
from tests.unit.store.small_evaluation import CAT, DOG, IMAGES, Evaluation, open_evaluation

_PROGRAM = """
import os, signal, sys, uuid
from pathlib import Path
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
path, code, session_id, end = Path(sys.argv[1]), *sys.argv[2:]
with open_study(path, clock=SystemClock()) as store:
    with store.read() as study:
        trials = study.labeling.trials(code)
    print("ready", flush=True)
    sys.stdin.readline()
    for trial in trials:
        answer = CommittedAnswer(
            answer_id=str(uuid.uuid4()), trial_id=trial.trial_id, session_id=session_id,
            label="n02085620", shown_at="2026", submitted_at="2026", active_ms=1, wall_ms=1,
        )
        with store.write() as study:
            study.answers.commit(answer)
        os.write(1, f"{answer.answer_id}\\n".encode())
        if end == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def evaluation(store, lead, clock) -> Evaluation:
    return open_evaluation(store, lead, clock)


def test_an_answer_is_stored_with_everything_that_belongs_to_it(evaluation) -> None:
    answer = evaluation.answer(alternative=CAT, confidence=2, note="a paw", knows_image=True)

    assert evaluation.commit(answer) == 1

    (row,) = evaluation.rows(PredictionRow)
    assert (row.id, row.trial_id, row.task) == (
        answer.answer_id,
        answer.trial_id,
        SessionTask.EVALUATE,
    )
    assert (row.active_ms, row.wall_ms) == (900, 1000)
    assert (row.shown_at, row.committed_at) == (answer.shown_at, answer.submitted_at)
    intervals = evaluation.rows(IntervalRow, IntervalRow.number)
    assert [(i.number, i.place, i.started_ms, i.ended_ms) for i in intervals] == [
        (1, AttentionPlace.IMAGE, 0, 400),
        (2, AttentionPlace.SEARCH, 400, 900),
    ]
    assert [unpack_inputs(i.inputs) for i in intervals] == [(5, 6), ()]
    exposures = evaluation.rows(ExposureRow, ExposureRow.id)
    assert [e.occasion for e in exposures] == [
        ExposureOccasion.EVALUATION,
        ExposureOccasion.DECLARED,
    ]
    assert {(e.image_id, e.session_id) for e in exposures} == {(row.image_id, answer.session_id)}
    assert evaluation.ask(lambda labeling: labeling.reopened(answer.trial_id)) == AnswerDraft(
        revision=2,
        label=DOG,
        escape_hatch=True,
        alternative=CAT,
        confidence=2,
        note="a paw",
        flags=frozenset({TrialFlag.KNOWN}),
        earlier=TimeSpent(answer.visits, answer.wall_ms),
    )


def test_a_trial_without_an_answer_has_none_to_go_back_to(evaluation) -> None:
    trial_id = evaluation.trial()
    assert evaluation.ask(lambda labeling: labeling.reopened(trial_id)) == AnswerDraft()


def test_a_later_answer_keeps_the_first_with_its_time(evaluation, clock) -> None:
    first = evaluation.answer()
    evaluation.commit(first)
    clock.go_on(hours=1)
    later = evaluation.answer(label=CAT, active_ms=1500, knows_image=True)

    assert evaluation.commit(later) == 2

    rows = evaluation.rows(PredictionRow, PredictionRow.revision)
    assert [(row.id, row.revision, row.active_ms, row.committed_at) for row in rows] == [
        (first.answer_id, 1, 900, "2026-03-01T09:30:00.000Z"),
        (later.answer_id, 2, 1500, "2026-03-01T10:30:00.000Z"),
    ]
    assert [i.number for i in evaluation.rows(IntervalRow, IntervalRow.number)] == [1, 2, 3, 4]
    occasions = [e.occasion for e in evaluation.rows(ExposureRow, ExposureRow.id)]
    assert occasions == [ExposureOccasion.EVALUATION, ExposureOccasion.DECLARED]
    with evaluation.store.read() as study:
        assert study.session.get_one(TrialRow, first.trial_id).shown_at == first.shown_at
    own = evaluation.ask(lambda labeling: labeling.reopened(first.trial_id))
    assert (own.label, own.revision) == (CAT, 3)


def test_the_same_answer_committed_again_changes_nothing(evaluation) -> None:
    first, second = evaluation.answer(), evaluation.answer(label=CAT)

    assert [evaluation.commit(a) for a in (first, second, first, second)] == [1, 2, 1, 2]
    assert len(evaluation.rows(PredictionRow)) == 2
    assert len(evaluation.rows(IntervalRow)) == 4
    assert len(evaluation.rows(ExposureRow)) == 1


def test_an_answers_id_is_good_for_one_trial_only(evaluation) -> None:
    answer = evaluation.answer(1)
    evaluation.commit(answer)

    with pytest.raises(RefusedError, match="stored for another trial"):
        evaluation.commit(replace(answer, trial_id=evaluation.trial(2)))


def test_an_answer_takes_the_place_of_its_trials_draft_and_of_no_other(evaluation) -> None:
    answer = evaluation.answer(1)
    subjects = (answer.trial_id, evaluation.trial(2))
    with evaluation.store.write() as study:
        for subject in subjects:
            study.drafts.put(
                "A", task=SessionTask.EVALUATE, subject=subject, contents={"note": "half"}
            )

    evaluation.commit(answer)

    with evaluation.store.read() as study:
        drafts = [study.drafts.get("A", task=SessionTask.EVALUATE, subject=s) for s in subjects]
    assert drafts == [None, {"note": "half"}]


def test_intervals_keep_the_session_in_which_they_were_recorded(evaluation) -> None:
    earlier = evaluation.sessions["A"]
    with evaluation.store.write() as study:
        later = study.sessions.begin(
            "A", role=Role.LABELER, task=SessionTask.EVALUATE, program_version="0.1"
        )
    stretch = AttentionInterval(AttentionPlace.IMAGE, 0, 10)
    visits = (TrialVisit(earlier, (stretch,)), TrialVisit(later, (stretch,)))

    evaluation.commit(evaluation.answer(session_id=later, visits=visits))

    rows = evaluation.rows(IntervalRow, IntervalRow.number)
    assert [row.session_id for row in rows] == [earlier, later]


def test_an_answer_that_fails_half_way_leaves_nothing_of_itself(evaluation) -> None:
    answer = evaluation.answer()
    with evaluation.store.write() as study:
        study.drafts.put("A", task=SessionTask.EVALUATE, subject=answer.trial_id, contents={"a": 1})
    broken = TrialVisit(answer.session_id, (AttentionInterval("nowhere", 0, 1),))

    with pytest.raises(IntegrityError, match="attention_interval_place"):
        evaluation.commit(replace(answer, visits=(broken,)))

    assert not [*evaluation.rows(PredictionRow), *evaluation.rows(ExposureRow)]
    with evaluation.store.read() as study:
        draft = study.drafts.get("A", task=SessionTask.EVALUATE, subject=answer.trial_id)
    assert draft == {"a": 1}
    assert evaluation.commit(answer) == 1


@pytest.mark.parametrize("change", [{"label": "n00000000"}, {"alternative": "n00000000"}])
def test_a_label_that_is_no_class_is_refused(evaluation, change) -> None:
    with pytest.raises(RefusedError, match="'n00000000' is no class of this study"):
        evaluation.commit(evaluation.answer(**change))


def test_an_answer_to_no_trial_is_refused(evaluation) -> None:
    with pytest.raises(RefusedError, match="no such trial"):
        evaluation.commit(evaluation.answer(trial_id=str(uuid.uuid4())))


def test_an_answer_to_another_persons_trial_is_refused(evaluation) -> None:
    with pytest.raises(RefusedError, match="isn't an evaluation by the labeler whose trial"):
        evaluation.commit(evaluation.answer(session_id=evaluation.sessions["B"]))


def test_an_answer_continues_from_one_that_was_imported(evaluation) -> None:
    answer = evaluation.answer()
    with evaluation.store.write() as study:
        image_id = study.session.get_one(TrialRow, answer.trial_id).image_id
        imported = {"participant_id": 1, "image_id": image_id, "task": SessionTask.EVALUATE}
        study.session.add(
            PredictionRow(
                **imported, id=str(uuid.uuid4()), revision=1, class_id=3, committed_at="2026"
            )
        )

    assert evaluation.ask(lambda labeling: labeling.progress("A")).answered == 1
    assert evaluation.commit(answer) == 2


def start(evaluation, run, code: str, end: str):
    program = run(_PROGRAM, evaluation.store.folder.path, code, evaluation.sessions[code], end)
    assert program.stdout.readline() == "ready\n"
    return program


def test_an_acknowledged_answer_survives_a_kill_right_after(evaluation, run) -> None:
    program = start(evaluation, run, "A", "killed")
    acknowledged, _ = program.communicate("go\n", timeout=60)

    assert program.returncode == -signal.SIGKILL
    assert [row.id for row in evaluation.rows(PredictionRow)] == acknowledged.split()


def test_two_labelers_answer_at_once_and_nothing_is_lost(evaluation, run) -> None:
    programs = [start(evaluation, run, code, "finished") for code in "AB"]
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    acknowledged = [program.communicate(timeout=60)[0].split() for program in programs]

    assert [program.returncode for program in programs] == [0, 0]
    stored = {row.id for row in evaluation.rows(PredictionRow)}
    assert stored == {answer_id for ids in acknowledged for answer_id in ids}
    assert len(stored) == 2 * len(IMAGES)
