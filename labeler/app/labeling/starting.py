"""What a labeler's session and each of its trials start from."""

from dataclasses import dataclass, replace
from datetime import timedelta

from labeler.app.labeling import trial_draft
from labeler.app.labeling.answer_journal import ReplayResult
from labeler.app.labeling.kept_trial import SavedTrial
from labeler.core.labeling.answers import TrialDraft
from labeler.core.labeling.blind_types import BlindTrial

# A session that was heard of within this time counts as open.
RECENTLY_ACTIVE = timedelta(minutes=5)
_UNREADABLE = (
    "What was half done on this image can't be read back. It starts from your last answer, or "
    "from none; time that was kept with the draft is missing."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """A session that has begun.

    `trial` is the one to start with, None when all are done: nobody waits for the others here.
    `resumed` tells that it was left half done, `finished` that no trial waits any more.
    `also_open` tells that another session of the same labeler was active within the last minutes:
    a second window, or a program that was cut off just now.
    """

    session_id: str
    trial: BlindTrial | None
    resumed: bool
    finished: bool
    replayed: ReplayResult
    asks_confidence: bool
    idle_after_ms: int
    also_open: bool

    @property
    def first(self) -> str | None:
        """The trial to start with, by its id."""
        return None if self.trial is None else self.trial.trial_id


@dataclass(frozen=True, slots=True)
class TrialStart:
    """What a trial starts from; `told` is a sentence about a draft that couldn't be read."""

    kept: SavedTrial
    told: str | None = None


def trial_start(stored: TrialDraft, text: str | None) -> TrialStart:
    """Start from the draft that was kept as `text`, or else from what is stored."""
    given = stored if stored.revision > 1 else None
    if text is None:
        return TrialStart(SavedTrial(stored, given=given))
    kept = trial_draft.trial_from_text(text)
    if kept is None:
        return TrialStart(SavedTrial(stored, given=given), told=_UNREADABLE)
    # Another window may have answered since the draft was kept.
    draft = replace(kept.draft, revision=stored.revision, earlier=stored.earlier)
    return TrialStart(replace(kept, draft=draft, given=given))
