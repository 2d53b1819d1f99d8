"""What to train next, in words: a title, and the reason that speaks for it."""

from labeler.app.training.progress_text import capitalise_first
from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.request import TrainingSource
from labeler.core.training.suggestions import SuggestionReason, TrainingSuggestion

_REASONS = {
    SuggestionReason.DUE: "{count:,} of the {of:,} classes met are due for repetition",
    SuggestionReason.MISSED: "{count:,} of {of:,} missed in the last 7 days",
    SuggestionReason.CONFUSED: "confused {count:,} times in {of:,} images of the two",
    SuggestionReason.NEVER_MET: "{count:,} of its {of:,} classes never met",
}
assert set(_REASONS) == set(SuggestionReason), "every reason has its words"


def suggested_training(suggestion: TrainingSuggestion) -> SuggestedTraining:
    reason = _REASONS[suggestion.why].format(count=suggestion.count, of=suggestion.of)
    if suggestion.request.source is TrainingSource.EVERYTHING:
        reason = f"{suggestion.count:,} classes, none of them met yet"
    return SuggestedTraining(capitalise_first(suggestion.title), reason, suggestion.request)
