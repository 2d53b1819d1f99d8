"""The presenters behind the tools for classes, made from an open study."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from labeler.app.presenters.class_browser import ClassBrowser
from labeler.app.presenters.class_pictures import ClassPictures
from labeler.app.presenters.comparison import Comparison
from labeler.app.presenters.guide_viewer import GuideViewer
from labeler.app.presenters.neighbourhood import Neighbourhood
from labeler.app.presenters.originals import Originals
from labeler.app.presenters.references import References
from labeler.app.presenters.shortlist import Shortlist
from labeler.app.presenters.taxonomy_browser import TaxonomyBrowser
from labeler.ui.sheet_image import decode_original, decode_sheet, decode_tile
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import GuideFacts, OpenedStudy


class ClassPresenters:
    """One of each; what the guide says of pairs of classes comes in when it has been read."""

    def __init__(
        self, study: "OpenedStudy", workers: Workers, *, page_opened: Callable[[str], None]
    ) -> None:
        self._study, self._workers = study, workers
        self._traits: dict[tuple[str, str], str] = {}
        taxonomy, places, decoding = study.taxonomy, study.places, workers.decoding
        self.browser = ClassBrowser(taxonomy=taxonomy)
        self.taxonomy = TaxonomyBrowser(taxonomy)
        self.neighbourhood = Neighbourhood(taxonomy=taxonomy, guide_pairs=frozenset())
        self.shortlist = Shortlist(taxonomy.display_names)
        self.references = References(folder=places.thumbnails, runner=decoding, decode=decode_sheet)
        self.pictures = ClassPictures(folder=places.thumbnails, runner=decoding, decode=decode_tile)
        self.originals = Originals[QImage](
            runner=decoding, read=study.original, decode=decode_original
        )
        self.comparison = Comparison[QImage](
            describe=self.browser.row,
            references=self.references,
            distinction=lambda one, other: self._traits.get((one, other)),
        )
        self.guide = GuideViewer(
            folder=places.guide, taxonomy=taxonomy, runner=decoding, on_visit=page_opened
        )

    def prepare(self) -> None:
        """Get ready what the first keys would otherwise wait for."""
        for work in (self.browser.prepare, self.taxonomy.prepare):
            self._submit(work, _ignore)
        self._submit(self._study.guide_facts, self._learn)

    def reference(self, wnid: str, number: int) -> QImage | None:
        """A picture for the guide: the class's reference image of that number, from 1."""
        picture = self._study.original(wnid, number - 1)
        return None if picture is None else decode_original(picture)

    def close(self) -> None:
        """Want nothing any more."""
        self.references.close()
        self.comparison.close()
        self.originals.drop()
        self.guide.close()

    def _learn(self, facts: "GuideFacts") -> None:
        self._traits = dict(facts.traits)
        self.browser.learn_pairs(facts.pairs)
        self.neighbourhood = Neighbourhood(taxonomy=self._study.taxonomy, guide_pairs=facts.pairs)

    def _submit(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self._workers.decoding.submit(
            lambda _job: work(), done=partial(done), failed=_ignore, urgent=False
        )


def _ignore(_answer: object) -> None:
    """Nobody waits: what couldn't be prepared ahead is made when it is needed."""
