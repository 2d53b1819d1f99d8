"""A trial as it is kept while a labeler works on it, so that a crash costs nothing."""

from dataclasses import dataclass

from labeler.core.labeling.answers import TrialDraft


@dataclass(frozen=True, slots=True)
class SavedTrial:
    """The trial's draft, and what stood around it on the screen.

    `given` is the answer that the draft changes, where there is one; it is read, never kept.
    """

    draft: TrialDraft
    shortlist: tuple[str, ...] = ()
    query: str = ""
    given: TrialDraft | None = None
