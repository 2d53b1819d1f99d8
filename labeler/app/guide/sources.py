"""Which guide is meant: a study's own, that of a folder, or the one that ships with the program."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from labeler.app.classes.app_reference_originals import OriginalReader
from labeler.app.guide.study_guide import StudyGuide, import_guide_folder
from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.clock import Clock
from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.pages import Guide, load_guide
from labeler.guide.picture_files import PictureLoader, folder_picture_loader
from labeler.locations import GUIDE
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


def _no_reference(_wnid: str, _number: int) -> EncodedImage | None:
    return None


def _nothing() -> None:
    """The folder of a guide without a study is all there is."""


@dataclass(frozen=True, slots=True)
class GuideSource:
    """Where a guide's pages and pictures lie, the classes it speaks of, and what a study adds.

    `refresh` has the folder hold what was written elsewhere; `reference` gives a class's reference
    image of a number, counted from 1.
    """

    folder: Path
    taxonomy: Taxonomy
    read: Callable[[], Guide]
    pictures: PictureLoader
    refresh: Callable[[], object] = _nothing
    study: str | None = None
    reference_count: Callable[[str], int] | None = None
    reference: Callable[[str, int], EncodedImage | None] = _no_reference


@contextmanager
def guide_source(
    *, study: Path | None = None, folder: Path | None = None, clock: Clock
) -> Iterator[GuideSource]:
    """The guide of a study or of a folder; of neither, the program's."""
    if study is None:
        yield guide_in_folder(folder or GUIDE)
        return
    with open_study(study, clock=clock) as store:
        yield _guide_of(store)


def guide_in_folder(folder: Path) -> GuideSource:
    """A guide that belongs to no study."""
    return GuideSource(
        folder,
        load_default(),
        read=lambda: load_guide(folder),
        pictures=folder_picture_loader(folder),
    )


def _guide_of(store: StudyStore) -> GuideSource:
    with store.read() as study:
        counts = study.image_roles.reference_counts()
    originals, guide = OriginalReader(store), StudyGuide(store)
    return GuideSource(
        folder=store.folder.guide,
        taxonomy=store.taxonomy,
        read=guide.current,
        pictures=guide.picture,
        refresh=lambda: import_guide_folder(store),
        study=store.identity.name,
        # A study without any reference images doesn't have them yet.
        reference_count=(lambda wnid: counts.get(wnid, 0)) if counts else None,
        reference=lambda wnid, number: originals.read(wnid, number - 1),
    )
