"""Where two texts differ, word by word."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.guide.diff import diff_words


def _alone(text: str, spans: tuple) -> list[str]:
    return [text[span.start : span.end] for span in spans]


def test_the_words_that_either_has_alone_are_reported() -> None:
    mine, theirs = "Two heavy brown rodents.", "Two stout rodents, often wet."
    one, other = diff_words(mine, theirs)
    assert _alone(mine, one) == ["heavy brown rodents."]
    assert _alone(theirs, other) == ["stout rodents, often wet."]


def test_what_is_added_at_the_end_differs_on_one_side_alone() -> None:
    one, other = diff_words("On a lawn.", "On a lawn. At night.")
    assert one == ()
    assert _alone("On a lawn. At night.", other) == [" At night."]


@given(st.text(), st.text())
def test_without_what_differs_both_are_the_same(mine: str, theirs: str) -> None:
    def shared(text: str, spans: tuple) -> list[str]:
        for span in reversed(spans):
            text = text[: span.start] + text[span.end :]
        return text.split()

    one, other = diff_words(mine, theirs)
    assert shared(mine, one) == shared(theirs, other)
