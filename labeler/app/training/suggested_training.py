"""What to train next, in words: a title, and the reason that speaks for it."""

from labeler.app.training.progress_text import capital
from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.request import Source
from labeler.core.training.suggestions import Suggestion, Why

_REASONS = {
    Why.DUE: "{count:,} of the {of:,} classes met are due for repetition",
    Why.MISSED: "{count:,} of {of:,} missed in the last 7 days",
    Why.CONFUSED: "confused {count:,} times in {of:,} images of the two",
    Why.NEVER_MET: "{count:,} of its {of:,} classes never met",
}
assert set(_REASONS) == set(Why), "every reason has its words"


def suggested_training(suggestion: Suggestion) -> SuggestedTraining:
    reason = _REASONS[suggestion.why].format(count=suggestion.count, of=suggestion.of)
    if suggestion.request.source is Source.EVERYTHING:
        reason = f"{suggestion.count:,} classes, none of them met yet"
    return SuggestedTraining(capital(suggestion.title), reason, suggestion.request)
