"""Which guide is meant: a study's own, that of a folder, or the one that ships with the program."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from labeler.app.reference_originals import ReferenceOriginals
from labeler.core.blind import EncodedPicture
from labeler.core.clock import Clock
from labeler.core.taxonomy import Taxonomy, load_default
from labeler.locations import GUIDE
from labeler.store.opening import open_study


def _no_reference(_wnid: str, _number: int) -> EncodedPicture | None:
    return None


@dataclass(frozen=True, slots=True)
class GuideSource:
    """A guide's folder, the taxonomy it speaks of, and what a study adds to them."""

    folder: Path
    taxonomy: Taxonomy
    study: str | None = None
    reference_count: Callable[[str], int] | None = None
    reference: Callable[[str, int], EncodedPicture | None] = _no_reference


@contextmanager
def guide_source(
    *, study: Path | None = None, folder: Path | None = None, clock: Clock
) -> Iterator[GuideSource]:
    """The guide of a study or of a folder; of neither, the program's."""
    if study is None:
        yield GuideSource(folder or GUIDE, load_default())
        return
    with open_study(study, clock=clock) as store:
        with store.read() as transaction:
            counts = transaction.memberships.reference_counts()
        originals = ReferenceOriginals(store)
        yield GuideSource(
            folder=folder or store.folder.guide,
            taxonomy=store.taxonomy,
            study=store.identity.name,
            # A study without any reference images doesn't have them yet.
            reference_count=(lambda wnid: counts.get(wnid, 0)) if counts else None,
            reference=lambda wnid, number: originals.read(wnid, number - 1),
        )
