"""A kept trial is read back as it was written; what can't be read is nothing, never an error."""

import json
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.app.labeling.trial_draft import draft_from_text, draft_to_text
from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import CONFIDENCE_LEVELS, AttentionPlace

TEXT = st.text(st.characters(), max_size=30)
WNIDS = st.from_regex(r"n[0-9]{8}", fullmatch=True)


@st.composite
def intervals(draw) -> AttentionInterval:
    moments = sorted(draw(st.lists(st.integers(0, 2**53), min_size=2, max_size=8)))
    place = draw(st.sampled_from(AttentionPlace))
    return AttentionInterval(place, moments[0], moments[-1], tuple(moments[1:-1]))


VISITS = st.builds(
    TrialVisit,
    st.uuids(version=4).map(str),
    st.lists(intervals(), max_size=4).map(tuple),
)
TIMES = st.builds(TimeSpent, st.lists(VISITS, max_size=3).map(tuple), st.integers(0, 2**53))
DRAFTS = st.builds(
    AnswerDraft,
    revision=st.integers(1, 99),
    label=st.none() | WNIDS,
    escape_hatch=st.booleans(),
    alternative=st.none() | WNIDS,
    confidence=st.none() | st.integers(1, CONFIDENCE_LEVELS),
    note=TEXT,
    flags=st.frozensets(st.sampled_from(TrialFlag)),
    shown_at=st.none() | TEXT,
    earlier=TIMES,
    since=TIMES,
    shortlist=st.lists(WNIDS, max_size=4).map(tuple),
    query=TEXT,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(DRAFTS)
def test_what_was_written_is_read_back(kept) -> None:
    text = draft_to_text(kept)

    assert draft_from_text(text) == kept
    assert text.isascii()


@given(DRAFTS, st.data())
def test_a_text_cut_short_is_nothing(kept, data) -> None:
    text = draft_to_text(kept)

    assert draft_from_text(text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(JSON)
def test_any_other_json_is_nothing(value) -> None:
    assert draft_from_text(json.dumps(value)) is None


def _paths(value: object, path: tuple = ()) -> list[tuple]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path]
    for key, inner in items:
        nested = isinstance(inner, dict | list)
        found += _paths(inner, (*path, key)) if nested else [(*path, key)]
    return found


FULL = AnswerDraft(
    label="n02085620",
    alternative="n02123045",
    confidence=3,
    flags=frozenset({TrialFlag.KNOWN}),
    shown_at="2026",
    since=TimeSpent(
        (
            TrialVisit(
                str(uuid.UUID(int=1)), (AttentionInterval(AttentionPlace.IMAGE, 0, 9, (5,)),)
            ),
        ),
        9,
    ),
    shortlist=("n02085620",),
    query="pug",
)


@pytest.mark.parametrize("path", [p for p in _paths(json.loads(draft_to_text(FULL))) if p], ids=str)
@pytest.mark.parametrize("wrong", [[[]], {"a": {}}, "\ud800"], ids=repr)
def test_a_value_of_another_kind_anywhere_is_no_error(path, wrong) -> None:
    document = json.loads(draft_to_text(FULL))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong

    kept = draft_from_text(json.dumps(document))

    assert kept is None or isinstance(kept, AnswerDraft)


def test_a_draft_of_a_later_program_is_nothing() -> None:
    document = json.loads(draft_to_text(FULL))

    assert draft_from_text(json.dumps({**document, "version": 2})) is None
    assert draft_from_text(json.dumps({**document, "more": 1})) == FULL, (
        "but more than we know is no harm"
    )
