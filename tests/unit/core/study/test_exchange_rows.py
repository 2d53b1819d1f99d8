"""Which values of an exchange file's row may stand together."""

import pytest

from labeler.core.study.entities import CorrectKind, ParticipantKind, ProblemReason, Stage, Verdict
from labeler.core.study.exchange_rows import (
    InvalidValueError,
    ReviewOrigin,
    ReviewStep,
    format_reasons,
    parse_dataset,
    parse_participant,
    parse_prediction,
    parse_reasons,
    parse_review,
)

CLASSES = {"n1": 0, "n2": 1}
ANSWER = {
    "rank": "1",
    "label": "n1",
    "score": "",
    "active_seconds": "1.5",
    "wall_seconds": "",
    "shown_at": "",
    "escape_hatch": "0",
    "alternative": "",
}
GUESS = ANSWER | {"active_seconds": "", "rank": "2", "score": "0.25"}


def test_reasons_keep_their_order():
    reasons = parse_reasons("edited|drawing")
    assert reasons == (ProblemReason.EDITED, ProblemReason.DRAWING)
    assert format_reasons(reasons) == "edited|drawing"
    assert parse_reasons("") == ()


def test_a_path_is_kept_as_it_stands():
    fields = {"dataset": "d", "image": "i", "target": "n1", "path": " x ", "problematic": ""}
    assert parse_dataset(fields, CLASSES).path == " x "


def test_a_file_without_the_column_gives_no_name():
    entry = parse_participant({"participant": "L1", "kind": "human", "description": ""})
    assert entry.name is None


def test_an_alternative_may_equal_the_label():
    fields = ANSWER | {"escape_hatch": "1", "alternative": "n1"}
    entry = parse_prediction(fields, ParticipantKind.HUMAN, CLASSES)
    assert (entry.escape_hatch, entry.alternative, entry.active_ms) == (True, "n1", 1500)


def test_a_model_has_ranks_and_scores_but_no_times():
    entry = parse_prediction(GUESS, ParticipantKind.MODEL, CLASSES)
    assert (entry.rank, entry.score, entry.active_ms) == (2, 0.25, None)


@pytest.mark.parametrize(
    ("kind", "fields", "column"),
    [
        (ParticipantKind.HUMAN, ANSWER | {"rank": "2"}, "rank"),
        (ParticipantKind.HUMAN, ANSWER | {"alternative": "n1"}, "alternative"),
        (ParticipantKind.HUMAN, ANSWER | {"escape_hatch": "1"}, "alternative"),
        (ParticipantKind.HUMAN, ANSWER | {"escape_hatch": ""}, "escape_hatch"),
        (ParticipantKind.MODEL, GUESS | {"wall_seconds": "1"}, "wall_seconds"),
        (ParticipantKind.MODEL, GUESS | {"shown_at": "x"}, "shown_at"),
        (ParticipantKind.MODEL, GUESS | {"alternative": "n1"}, "alternative"),
        (ParticipantKind.MODEL, GUESS | {"escape_hatch": "1"}, "escape_hatch"),
    ],
)
def test_values_that_do_not_go_together_are_refused(kind, fields, column):
    with pytest.raises(InvalidValueError) as caught:
        parse_prediction(fields, kind, CLASSES)
    assert caught.value.column == column


def test_a_kind_may_are_next_to_any_verdict():
    fields = {"label": "n1", "verdict": "wrong", "kind": "ambiguous", "stage": "final", "at": ""}
    entry = parse_review(fields, CLASSES)
    assert entry[:5] == ("n1", Verdict.WRONG, CorrectKind.AMBIGUOUS, Stage.FINAL, None)


def test_a_review_without_the_columns_of_version_2_is_blind_and_of_a_proposed_label():
    fields = {"label": "n1", "verdict": "wrong", "kind": "", "stage": "final", "at": ""}
    entry = parse_review(fields, CLASSES)
    assert entry[5:] == (ReviewOrigin.PROPOSED, ReviewStep.BLIND, None, 1)
