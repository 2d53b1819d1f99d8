"""Parse the typed text of a search."""

from dataclasses import dataclass

from labeler.core.classes.search.text_folding import folded_words

# Function words; they count when a name contains them, and nowhere else.
_STOP_WORDS = frozenset(
    folded_words(
        "a an and are as at be by can for from has have having her his in is it its like of on or "
        "that the their this to used which who with"
    )
)

# Text pasted by mistake must not block the window.
_MAX_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The typed words, folded; `significant` are those that a description must contain."""

    words: tuple[str, ...]
    significant: tuple[str, ...]

    @property
    def joined(self) -> str:
        return "".join(self.words)


def parse_query(typed: str) -> SearchQuery:
    """Split the typed text into folded words."""
    words = folded_words(typed[:_MAX_CHARACTERS])
    significant = tuple(word for word in dict.fromkeys(words) if word not in _STOP_WORDS)
    return SearchQuery(words, significant)
