"""What reaches a labeler's screen has no place for what a labeler must not know."""

from dataclasses import fields

import pytest

from labeler.core.labeling.active_time import AttentionInterval, TrialVisit
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer
from labeler.core.labeling.blind_types import (
    BlindImage,
    BlindTrial,
    EncodedImage,
    OwnProgress,
)

_FIELDS = {
    BlindTrial: {"trial_id", "position", "total", "answered", "flagged", "marked"},
    EncodedImage: {"data", "apply_exif"},
    BlindImage: {"trial_id", "pixels"},
    OwnProgress: {"answered", "set_aside", "total"},
    AttentionInterval: {"place", "started_ms", "ended_ms", "inputs"},
    TrialVisit: {"session", "intervals"},
}
_FORBIDDEN = ("target", "dataset", "file", "path", "name", "model", "image_id", "score", "correct")


@pytest.mark.parametrize("kind", _FIELDS)
def test_a_labelers_types_have_these_fields_and_no_others(kind) -> None:
    assert {field.name for field in fields(kind)} == _FIELDS[kind]


@pytest.mark.parametrize("kind", [*_FIELDS, AnswerDraft, CommittedAnswer])
def test_no_field_or_property_is_for_a_forbidden_fact(kind) -> None:
    members = [name for name in dir(kind) if not name.startswith("_")]
    assert not [name for name in members for word in _FORBIDDEN if word in name]


@pytest.mark.parametrize("kind", [*_FIELDS, AnswerDraft, CommittedAnswer])
def test_nothing_can_be_hung_onto_a_labelers_type(kind) -> None:
    assert not [base for base in kind.__mro__ if "__dict__" in vars(base)]


def test_an_image_shows_no_more_of_itself_than_its_trials_id() -> None:
    image = BlindImage("3f1c", pixels="/data/n01440764/x.JPEG")

    assert str(image) == "BlindImage(trial_id='3f1c')"


def test_an_encoded_picture_does_not_show_its_bytes() -> None:
    encoded = EncodedImage(b"Exif: n01440764/x.JPEG", apply_exif=False)

    assert str(encoded) == "EncodedImage(apply_exif=False)"


def test_a_trial_waits_until_it_is_answered_or_flagged() -> None:
    assert BlindTrial("t", 1, 2).waits
    assert not BlindTrial("t", 1, 2, answered=True).waits
    assert not BlindTrial("t", 1, 2, flagged=True).waits


def test_what_is_left_is_neither_answered_nor_set_aside() -> None:
    assert OwnProgress(answered=3, set_aside=1, total=10).left == 6


def test_an_alternative_makes_an_escape_hatch() -> None:
    fields = {"answer_id": "a", "trial_id": "t", "session_id": "s", "label": "n1"}
    times = {"shown_at": "2026", "submitted_at": "2026", "active_ms": 1, "wall_ms": 1}
    answer = CommittedAnswer(**fields, **times)
    hatch = CommittedAnswer(**fields, **times, alternative="n2")

    assert (answer.escape_hatch, hatch.escape_hatch) == (False, True)
