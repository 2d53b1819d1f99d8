"""The facts that the phases' rules look at, as they are in the database."""

import uuid

from labeler.core.datasets.sampling import SampleRequest
from labeler.core.study.entities import (
    DatasetRole,
    ImageKey,
    Participant,
    ParticipantKind,
    Role,
    SessionTask,
)
from labeler.core.study.phases import EvaluationProgress, Phase, PhaseState
from labeler.store.datasets.samples import SampleVersions
from labeler.store.schema import PhaseRow, PredictionRow


def states(store) -> dict[Phase, PhaseState]:
    with store.read() as study:
        return study.phases.states()


def test_every_phase_of_a_new_study_is_closed(store) -> None:
    assert states(store) == dict.fromkeys(Phase, PhaseState.CLOSED)


def test_a_phase_opens_locks_and_opens_again_with_its_times(store, clock) -> None:
    rows = []
    for change in ("open", "lock", "open"):
        with store.write() as study:
            getattr(study.phases, change)(Phase.TRAIN)
        with store.read() as study:
            row = study.session.get_one(PhaseRow, Phase.TRAIN)
            rows.append((row.state, row.opened_at, row.locked_at))
        clock.go_on(hours=1)

    nine, ten, eleven = (f"2026-03-01T{hour}:30:00.000Z" for hour in ("09", "10", "11"))
    assert rows == [
        (PhaseState.OPEN, nine, None),
        (PhaseState.LOCKED, nine, ten),
        (PhaseState.OPEN, eleven, None),
    ]
    others = {phase: state for phase, state in states(store).items() if phase is not Phase.TRAIN}
    assert set(others.values()) == {PhaseState.CLOSED}


def answer(study, participant_id: int, image_id: int, revision: int, task: SessionTask) -> None:
    study.session.add(
        PredictionRow(
            id=str(uuid.uuid4()),
            participant_id=participant_id,
            task=task,
            image_id=image_id,
            revision=revision,
            class_id=0,
            committed_at="2026",
        )
    )


def test_the_facts_count_what_there_is(store, lead) -> None:
    lead.add("val", lead.image("a"), lead.image("b"), lead.image("c"))
    lead.add("train", lead.image("d"), role=DatasetRole.TRAINING)
    people = (("A", Role.LABELER), ("B", Role.LABELER), ("R", Role.REVIEWER))
    with store.write() as study:
        study.image_roles.put_in_training_pool("train")
        for code, role in people:
            study.participants.add(Participant(code, ParticipantKind.HUMAN, "", frozenset({role})))
        versions = SampleVersions(taxonomy="t", guide="g", program="p")
        sample = [ImageKey("val", "a"), ImageKey("val", "b")]
        study.samples.freeze(SampleRequest(("val",), 1, 1), sample, versions)
        answer(study, 1, 1, 1, SessionTask.EVALUATE)
        answer(study, 1, 1, 2, SessionTask.EVALUATE)
        answer(study, 1, 3, 1, SessionTask.EVALUATE)
        answer(study, 2, 2, 1, SessionTask.TRAIN)

    with store.read() as study:
        facts = study.phases.facts()
    assert (facts.evaluation_images, facts.training_images, facts.sample_images) == (3, 1, 2)
    assert (facts.labelers, facts.reviewers) == (("A", "B"), ("R",))
    # A correction is no second answer, and neither outside the sample nor in training is one.
    assert facts.progress == (EvaluationProgress("A", 1, 2), EvaluationProgress("B", 0, 2))
