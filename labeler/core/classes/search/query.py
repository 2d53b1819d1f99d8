"""What was typed, taken apart."""

from dataclasses import dataclass

from labeler.core.classes.search.text_folding import folded_words

# Words that hold a description together; they count where a name has them, and nowhere else.
_STOP_WORDS = frozenset(
    folded_words(
        "a an and are as at be by can for from has have having her his in is it its like of on or "
        "that the their this to used which who with"
    )
)

# A text pasted by mistake must not hold the window up.
_MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The typed words, folded; `significant` are those that a description must have, if any."""

    words: tuple[str, ...]
    significant: tuple[str, ...]

    @property
    def joined(self) -> str:
        return "".join(self.words)


def parse_query(typed: str) -> SearchQuery:
    """Take what was typed apart."""
    words = folded_words(typed[:_MOST_CHARACTERS])
    significant = tuple(word for word in dict.fromkeys(words) if word not in _STOP_WORDS)
    return SearchQuery(words, significant)
