"""What the review of classes shows: a class, its images by number, and how far the review is."""

from dataclasses import dataclass

from labeler.core.curation.revisions import ClassState


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTile:
    """An image of the class as the screen shows it: by number, without its file or source.

    `mark` says that it is rejected and why, `same_set` which near-duplicates it belongs to;
    `frequency` is empty unless the reviewer may see it.
    """

    number: int
    taken: str
    query: str
    mark: str = ""
    same_set: str = ""
    chosen: bool = True
    frequency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetReviewView:
    """One class of the queue."""

    name: str
    gloss: str
    # A revision of a built dataset; 0 for the candidates of a pool.
    dataset: str
    revision: int
    position: int
    total: int
    reviewed: int
    needs_work: int
    state: ClassState
    tiles: tuple[ReviewTile, ...]
    chosen: int
    candidates: int
    originals: tuple[str, ...]
    shows_all: bool
    summary: str

    @property
    def is_pool(self) -> bool:
        return not self.revision
