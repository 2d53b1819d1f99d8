"""Neither a labeler's questions nor their answers touch what a labeler must not know."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, select

from labeler.core.errors import EnvironmentFault, LabelerError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import TrialFlag
from labeler.store.schema import (
    ImageRow,
)
from tests.unit.store.small_evaluation import (
    TELL_TALES,
    Evaluation,
    closed_evaluation,
    open_evaluation,
    order_of,
)


@pytest.fixture
def closed(store, lead, clock) -> Evaluation:
    return closed_evaluation(store, lead, clock)


@pytest.fixture
def evaluation(store, lead, clock) -> Evaluation:
    return open_evaluation(store, lead, clock)


def labeler_facing(evaluation) -> dict[str, Callable]:
    answer, trial_id = evaluation.answer(1), evaluation.trial(2)
    evaluation.commit(answer)
    seen = {"spent": TimeSpent(answer.visits, 900), "shown_at": answer.shown_at}
    not_shown = evaluation.aside(TrialFlag.NOT_SHOWN, **seen)
    inappropriate = evaluation.aside(TrialFlag.INAPPROPRIATE, note="ink")
    return {
        "trials": lambda labeling: labeling.trials("A"),
        "next_unanswered": lambda labeling: labeling.next_unanswered("A"),
        "progress": lambda labeling: labeling.progress("A"),
        "mark": lambda labeling: labeling.mark(trial_id),
        "set_aside as inappropriate": lambda labeling: labeling.set_aside(trial_id, inappropriate),
        "set_aside as not shown": lambda labeling: labeling.set_aside(trial_id, not_shown),
        "reopened when flagged": lambda labeling: labeling.reopened(trial_id),
        "take_back": lambda labeling: labeling.take_back(trial_id),
        "reopened": lambda labeling: labeling.reopened(answer.trial_id),
        "active_ms": lambda labeling: labeling.active_ms("A", idle_after_ms=120_000),
        "left_half_done": lambda labeling: labeling.unfinished_trial("A"),
        "is_locked": lambda labeling: labeling.is_locked("A"),
        "lock_task": lambda labeling: labeling.lock_task("B"),
    }


@contextmanager
def heard(evaluation, statements: list[str]) -> Iterator[None]:
    """Every statement that goes to the database meanwhile."""
    engine = evaluation.store.database.engine

    def listen(_connection, _cursor, statement, *_rest) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", listen)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", listen)


def statements_of(evaluation, operation: Callable) -> list[str]:
    statements: list[str] = []
    with heard(evaluation, statements):
        evaluation.do(operation)
    return statements


def forbidden(statements: list[str]) -> list[str]:
    """Not the forbidden columns alone: the tables that hold them may not occur at all."""
    return [s for s in statements if re.search(r"\btarget_id\b|\b(image|dataset)\b", s)]


def test_no_labelers_question_reaches_for_a_target_a_dataset_or_an_images_name(evaluation) -> None:
    evaluation.answer_all("B")
    for name, operation in labeler_facing(evaluation).items():
        statements = statements_of(evaluation, operation)
        assert len(statements) > 1, name
        assert not forbidden(statements), name


def test_storing_an_answer_or_a_draft_reaches_for_nothing_either(evaluation) -> None:
    trial_id, session_id = evaluation.trial(2), evaluation.sessions["A"]
    answer = evaluation.answer(1)
    written = {
        "put_trial": lambda study: study.drafts.put_trial(trial_id, "{}"),
        "put_trial again": lambda study: study.drafts.put_trial(trial_id, "{}"),
        "touch": lambda study: study.sessions.touch(session_id),
        "commit": lambda study: study.answers.commit(answer),
    }
    for name, write in written.items():
        statements: list[str] = []
        with heard(evaluation, statements), evaluation.store.write() as study:
            write(study)
        assert len(statements) > 1, name
        assert not forbidden(statements), name


def test_what_the_decoder_asks_would_be_noticed(evaluation) -> None:
    trial_id = evaluation.trial()

    assert forbidden(statements_of(evaluation, lambda labeling: labeling.image_file(trial_id)))


def test_making_trials_asks_for_identities_but_for_no_target(closed) -> None:
    closed.phase("open")
    statements = statements_of(closed, lambda labeling: labeling.prepare_trials("A"))

    assert forbidden(statements)
    assert not [s for s in statements if "target_id" in s or "image.path" in s]


def test_making_trials_again_asks_for_no_target_either(evaluation) -> None:
    statements = statements_of(evaluation, lambda labeling: labeling.prepare_trials("A"))

    assert not [s for s in statements if "target_id" in s or "image.path" in s]


def test_nothing_that_a_labeler_gets_tells_anything(evaluation) -> None:
    evaluation.answer_all("B")
    got = [evaluation.do(operation) for operation in labeler_facing(evaluation).values()]

    assert not [word for word in TELL_TALES if word in f"{got!r} {got}"]


def test_no_refusal_tells_anything(evaluation) -> None:
    nowhere, trial_id = str(uuid.uuid4()), evaluation.trial()
    answer = evaluation.answer()
    operations = [
        lambda _la: evaluation.commit(replace(answer, trial_id=nowhere)),
        lambda _la: evaluation.commit(replace(answer, session_id=nowhere)),
        lambda _la: evaluation.commit(replace(answer, label="n00000000")),
        lambda la: la.reopened(nowhere),
        lambda la: la.mark(nowhere),
        lambda la: la.set_aside(trial_id, evaluation.aside(TrialFlag.KNOWN)),
        lambda la: la.lock_task("A"),
        lambda la: la.trials("Z"),
        lambda la: la.prepare_trials("R"),
        lambda la: la.image_file(nowhere),
    ]
    for operation in operations:
        with pytest.raises(LabelerError) as refusal:
            evaluation.ask(operation)
        assert not [word for word in TELL_TALES if word in f"{refusal.value!r}"]


def test_the_decoder_gets_the_images_file_and_how_to_turn_it(evaluation) -> None:
    (first, *_) = order_of(evaluation, "A")
    trial_id = evaluation.trial(1)

    file = evaluation.ask(lambda la: la.image_file(trial_id))
    assert file.path == Path("/pictures", first.image)
    assert file.apply_exif is False
    assert first.image not in repr(file)


def test_an_image_without_a_file_is_reported_without_its_name(evaluation) -> None:
    trial_id = evaluation.trial()
    with evaluation.store.write() as study:
        for row in study.session.scalars(select(ImageRow)):
            row.path = ""

    with pytest.raises(EnvironmentFault, match="no file here: flag it") as fault:
        evaluation.ask(lambda labeling: labeling.image_file(trial_id))
    assert not [word for word in TELL_TALES if word in str(fault.value)]
