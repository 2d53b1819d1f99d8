"""Blindness by type: what reaches a labeler has no place for what a labeler must not know."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from labeler.app.labeling.answer_writer import JournaledAnswerStore
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.finish import FinishView
from labeler.app.labeling.rules import RulesView
from labeler.app.labeling.workbench_view import ChosenClass, ClockView, WorkbenchView
from labeler.app.study.home import HomeView
from labeler.app.study.home_cards import HomeCardView
from labeler.app.study.lead_home import PersonProgress
from labeler.app.study.sign_in import SignInFacts, SignInView
from labeler.app.training.feedback import AnswerFeedback, Feedback, FeedbackView, TrainingSummary
from labeler.app.training.session import TrainingLabelingSession
from labeler.app.trial_image_loader import TrialImageView
from labeler.core.labeling.answers import CommittedAnswer

FORBIDDEN = (
    *("target", "dataset", "path", "file", "folder", "root", "source", "name", "hash"),
    *("image_id", "ordinal", "model", "score", "correct", "accuracy", "feedback", "verdict"),
    *("participant", "others", "count", "per_class"),
)
# Each with the reason why its name may stand there.
ALLOWED = {
    (ChosenClass, "name"): "of the class that the labeler chose",
    (ChosenClass, "path"): "through the taxonomy, to the class that the labeler chose",
    (HomeView, "study_name"): "the study's own",
    (SignInFacts, "study_name"): "the study's own",
    (SignInView, "study_name"): "the study's own",
    (HomeCardView, "counted"): "what the card's own number counts",
}
VIEWS = (
    WorkbenchView,
    ClockView,
    TrialImageView,
    FinishView,
    HomeView,
    RulesView,
    SignInFacts,
    SignInView,
    CommittedAnswer,
)


# What a training tells, by these methods alone, once an answer is stored or the training ended.
TOLD_AFTERWARDS = {"feedback": AnswerFeedback, "finish": TrainingSummary}


def session_methods() -> dict[str, Callable[..., object]]:
    """Every way in which a desk answers before an answer is stored."""
    return {
        f"{session.__name__}.{name}": method
        for session in (EvaluationSession, TrainingLabelingSession, JournaledAnswerStore)
        for name, method in inspect.getmembers(session, inspect.isfunction)
        if not name.startswith("_") and name not in TOLD_AFTERWARDS
    }


def answers_of(method: Callable[..., object]) -> Iterator[type]:
    yield from named(get_type_hints(method)["return"])


def named(hint: Any) -> Iterator[type]:
    """The classes that an annotation names, without what merely holds them."""
    if get_origin(hint) is not None:
        for part in get_args(hint):
            yield from named(part)
        hint = get_origin(hint)
    if isinstance(hint, type):
        yield hint


def reachable(kind: type) -> set[type]:
    """The class and all that its fields can hold, however deep."""
    found: set[type] = set()
    waiting = [kind]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            hints = get_type_hints(one) if is_dataclass(one) else {}
            waiting += [part for hint in hints.values() for part in named(hint)]
    return found


def telling_fields(kind: type) -> list[str]:
    """The fields and properties, of whatever is reachable, whose name is a forbidden one's."""
    return [
        f"{one.__name__}.{member}"
        for one in sorted(reachable(kind), key=lambda each: each.__name__)
        if is_dataclass(one)
        for member in _members(one)
        if any(word in member for word in FORBIDDEN) and (one, member) not in ALLOWED
    ]


def _members(kind: type) -> list[str]:
    properties = inspect.getmembers(kind, lambda member: isinstance(member, property))
    return [*(field.name for field in fields(kind)), *(name for name, _property in properties)]


@pytest.mark.parametrize("kind", VIEWS)
def test_no_view_has_a_field_for_a_forbidden_fact(kind: type) -> None:
    assert telling_fields(kind) == []
    assert Path not in reachable(kind)


@pytest.mark.parametrize("name", session_methods())
def test_a_desk_answers_with_nothing_but_blind_types(name: str) -> None:
    for kind in answers_of(session_methods()[name]):
        assert telling_fields(kind) == []
        assert Path not in reachable(kind)


def test_nothing_of_the_store_comes_out_of_a_desk() -> None:
    kinds = {
        part
        for method in session_methods().values()
        for answer in answers_of(method)
        for part in reachable(answer)
    }
    homes = {kind.__module__.split(".")[1] for kind in kinds if kind.__module__.startswith("lab")}
    assert homes == {"app", "core"}


def test_a_training_tells_a_target_in_types_of_their_own_and_nowhere_else() -> None:
    for name, kind in TOLD_AFTERWARDS.items():
        assert set(answers_of(getattr(TrainingLabelingSession, name))) == {kind}
    blind = {part for view in VIEWS for part in reachable(view)}
    assert not blind & {Feedback, AnswerFeedback, FeedbackView, TrainingSummary}
    assert "Feedback.target" in telling_fields(AnswerFeedback)


def test_every_exception_to_the_rule_is_needed() -> None:
    for kind, member in ALLOWED:
        assert member in _members(kind)
        assert any(word in member for word in FORBIDDEN)


def test_only_a_leads_home_has_rows_of_labelers() -> None:
    # The same type serves the lead; what fills it is tested with the home's facts.
    holders = [kind for kind in VIEWS if PersonProgress in reachable(kind)]
    assert holders == [HomeView]


@dataclass(frozen=True)
class _Inner:
    target: str


@dataclass(frozen=True)
class _Telling:
    trials: tuple[_Inner | None, ...]


def test_a_forbidden_field_deep_inside_is_found() -> None:
    assert telling_fields(_Telling) == ["_Inner.target"]
