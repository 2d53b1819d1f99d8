"""A trial as it is kept while a labeler works on it, so that a crash costs nothing."""

from dataclasses import dataclass

from labeler.core.labeling.answers import Draft


@dataclass(frozen=True, slots=True)
class KeptTrial:
    """The trial's draft, and what stood around it on the screen.

    `given` is the answer that the draft changes, where there is one; it is read, never kept.
    """

    draft: Draft
    shortlist: tuple[str, ...] = ()
    query: str = ""
    given: Draft | None = None
