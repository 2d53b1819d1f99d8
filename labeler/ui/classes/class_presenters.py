"""The presenters of the class tools, created for an open study."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from labeler.app.classes.browser import ClassBrowser
from labeler.app.classes.class_map import ClassMap
from labeler.app.classes.comparison import Comparison
from labeler.app.classes.map_pictures import FirstReferences, MosaicLoader
from labeler.app.classes.neighbourhood import Neighbourhood
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import ClassThumbnails, References
from labeler.app.classes.shortlist import Shortlist
from labeler.app.classes.taxonomy_browser import TaxonomyBrowser
from labeler.app.guide.viewer import GuideViewer
from labeler.app.keymap import Keymap
from labeler.app.opened_study import ClassFacts, OpenedStudy
from labeler.app.runner import ignore
from labeler.core.classes.branches import CanonicalBranches, canonical_branches
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence, LookAlikeRanking
from labeler.ui.classes.taxonomy.tree_pictures import TreePictures
from labeler.ui.kit.pictures.contact_sheet import decode_original, decode_sheet, decode_tile
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers

if TYPE_CHECKING:
    from labeler.ui.classes.map.map_view import ClassMapOverlay


class ClassPresenters:
    """The presenters, each created on first use on the GUI thread.

    What the guide and the study know of similar classes is added once it has been read.
    """

    def __init__(
        self,
        study: OpenedStudy,
        workers: Workers,
        *,
        page_opened: Callable[[str], None],
        shows_reasons: bool = True,
    ) -> None:
        """`shows_reasons` is false for reviewers, who see look-alikes without the reason."""
        self._study, self._workers = study, workers
        self._shows_reasons = shows_reasons
        self._page_opened = page_opened
        self._traits: dict[tuple[str, str], str] = {}
        self._evidence = LookAlikeEvidence()

    @cached_property
    def browser(self) -> ClassBrowser:
        return ClassBrowser(
            taxonomy=self._study.taxonomy,
            rows=self._study.class_rows,
            shows_reasons=self._shows_reasons,
        )

    @cached_property
    def taxonomy(self) -> TaxonomyBrowser:
        return TaxonomyBrowser(lambda: self.branches)

    @cached_property
    def branches(self) -> CanonicalBranches:
        """The place of every class, from the study's superclasses."""
        return canonical_branches(self._study.groups)

    @cached_property
    def tree_pictures(self) -> TreePictures:
        return TreePictures(self.branch_references, lambda: self.references.illustrated)

    @cached_property
    def class_map(self) -> ClassMap:
        return ClassMap(self.branches, find=self.browser.find)

    def map_overlay(
        self, appearance: Appearance, keymap: Keymap, screen: QWidget
    ) -> "ClassMapOverlay":
        """Return the map for a screen; its pictures load in the background."""
        # The map needs numpy, which the first image doesn't wait for.
        from labeler.ui.classes.map.map_canvas import ClassMapCanvas
        from labeler.ui.classes.map.map_preview import MapPreview
        from labeler.ui.classes.map.map_view import ClassMapOverlay
        from labeler.ui.classes.map.mosaic_atlas import decode_page

        folder, runner = self._study.places.thumbnails, self._workers.decoding
        wnids = self._study.taxonomy.class_wnids
        pages = MosaicLoader(folder=folder, wnids=wnids, runner=runner, decode=decode_page)
        few = FirstReferences(folder=folder, runner=runner, decode=decode_tile)
        many = FirstReferences(folder=folder, runner=runner, decode=decode_tile, many=True)
        canvas = ClassMapCanvas(appearance, self.class_map, pages=pages, few=few, many=many)
        preview = MapPreview(
            appearance,
            few=few,
            many=many,
            describe=self.browser.row,
            illustrated=lambda: self.references.illustrated,
        )
        return ClassMapOverlay(
            appearance, keymap, self.class_map, canvas, preview=preview, screen=screen
        )

    @cached_property
    def shortlist(self) -> Shortlist:
        return Shortlist(self._study.taxonomy.display_names)

    @cached_property
    def references(self) -> References[QImage]:
        folder, runner = self._study.places.thumbnails, self._workers.decoding
        return References(
            folder=folder,
            runner=runner,
            decode=decode_sheet,
            has_references=self._study.has_references,
        )

    @cached_property
    def pictures(self) -> ClassThumbnails[QImage]:
        folder, runner = self._study.places.thumbnails, self._workers.decoding
        return ClassThumbnails(folder=folder, runner=runner, decode=decode_tile)

    @cached_property
    def first_references(self) -> FirstReferences[QImage]:
        """The pictures of search results."""
        folder, runner = self._study.places.thumbnails, self._workers.decoding
        return FirstReferences(folder=folder, runner=runner, decode=decode_tile)

    @cached_property
    def branch_references(self) -> FirstReferences[QImage]:
        """The pictures of the taxonomy's tree and mosaic, which don't delay those of results."""
        folder, runner = self._study.places.thumbnails, self._workers.decoding
        return FirstReferences(folder=folder, runner=runner, decode=decode_tile)

    @cached_property
    def originals(self) -> OriginalLoader[QImage]:
        return OriginalLoader(
            runner=self._workers.decoding, read=self._study.original, decode=decode_original
        )

    @cached_property
    def neighbourhood(self) -> Neighbourhood:
        taxonomy = self._study.taxonomy
        return Neighbourhood(taxonomy=taxonomy, ranking=LookAlikeRanking(taxonomy, self._evidence))

    @cached_property
    def comparison(self) -> Comparison[QImage]:
        return Comparison(
            describe=self.browser.row,
            references=self.references,
            distinction=self.trait,
        )

    @cached_property
    def guide(self) -> GuideViewer:
        return GuideViewer(
            folder=self._study.places.guide,
            pictures=self._study.guide_picture,
            taxonomy=self._study.taxonomy,
            runner=self._workers.decoding,
            on_visit=self._page_opened,
            source=self._study.guide,
        )

    def prepare(self, then: Callable[[], None] = lambda: None) -> None:
        """Prepare on a worker what the first key presses would otherwise wait for."""
        taxonomy, browser = self.taxonomy, self.browser

        def prepare_classes() -> None:
            taxonomy.prepare()
            browser.prepare()

        self._workers.background.run(
            "prepare classes",
            prepare_classes,
            done=lambda _nothing: then(),
            # What wasn't prepared is made when it is needed.
            failed=ignore,
            urgent=False,
        )
        self.load_guide()

    def load_guide(self, then: Callable[[], None] = lambda: None) -> None:
        """Read the guide's distinctions and what else is known of similar classes on a worker."""
        self._workers.background.run(
            "read guide pairs",
            self._study.class_facts,
            done=lambda facts: self._learn(facts, then),
            failed=ignore,
            urgent=False,
        )

    def reference(self, wnid: str, number: int) -> QImage | None:
        """Return a picture for the guide: the class's reference image with this number, from 1."""
        picture = self._study.original(wnid, number - 1)
        return None if picture is None else decode_original(picture)

    def trait(self, one: str, other: str) -> str | None:
        """Return how the guide tells two classes apart, or None if it doesn't or isn't read yet."""
        return self._traits.get((one, other))

    def close(self) -> None:
        """Cancel all requests."""
        if "references" in vars(self):
            self.references.close()
        if "pictures" in vars(self):
            self.pictures.close()
        if "originals" in vars(self):
            self.originals.drop()
        if "comparison" in vars(self):
            self.comparison.close()
        if "guide" in vars(self):
            self.guide.close()

    def _learn(self, facts: ClassFacts, then: Callable[[], None]) -> None:
        self._traits = dict(facts.traits)
        self.browser.use_evidence(facts.evidence)
        self._evidence = facts.evidence
        vars(self).pop("neighbourhood", None)
        if "comparison" in vars(self):
            self.comparison.refresh_traits()
        then()
