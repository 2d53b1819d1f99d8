"""The lead's results while the window is open: read once, then looked at from all sides."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labeler.app.progress import Progress
from labeler.app.results.formats import MadeReport, ReportFormat, ReportWish
from labeler.app.results.image_index import ImageIndex, Said
from labeler.app.results.report_data import read_report
from labeler.app.results.selection import Place, Selection, accuracies, further_subset
from labeler.app.results.selection_figure import chosen_figure
from labeler.app.results.selection_table import chosen_table
from labeler.app.results.source_images import ImageList, images_behind
from labeler.app.study.locked import evaluation_locked
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import Refused
from labeler.core.labeling.blind_types import EncodedPicture
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import Source
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.subsets import Subset
from labeler.core.study.entities import ImageKey, Role
from labeler.report.accuracy_index import Cells
from labeler.report.all_tables import tables
from labeler.report.cell_source_builder import Tracing
from labeler.report.figures.all_figures import one_by_one
from labeler.report.figures.figure import Drawn
from labeler.report.galleries import Gallery, galleries
from labeler.report.table import Table
from labeler.store.study_store import StudyStore

NOT_YET = (
    "Results are shown after the evaluation is locked: until then nobody sees an answer. How far "
    "everybody is stands at home."
)


class Results:
    """Everything that was read and computed, and what can be made of it without reading again."""

    def __init__(self, contents: ReportContents, taxonomy: Taxonomy) -> None:
        self.contents = contents
        self.cells = Cells(contents)
        self.index = ImageIndex(contents)
        self._taxonomy = taxonomy
        self._further: dict[str, Subset] = {}

    def make_tables(self) -> None:
        """Have the tables and galleries made, which may take a while."""
        _made = self.tables, self.galleries

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The report's own tables."""
        return tuple(tables(self.cells))

    @cached_property
    def galleries(self) -> tuple[Gallery, ...]:
        """The report's own galleries, each with all of its images behind it."""
        return tuple(galleries(self.contents))

    def figures(self) -> Iterator[Drawn]:
        """The report's own figures, each drawn when it is asked for."""
        return one_by_one(self.cells)

    @property
    def subsets(self) -> Mapping[str, Subset]:
        own = {subset.key: subset for subset in self.contents.numbers.subsets}
        return own | self._further

    @property
    def titles(self) -> dict[str, str]:
        """What subsets are called; a superclass may have the name of a group."""
        return {
            key: f"{subset.title} (superclass)" if subset.is_superclass else subset.title
            for key, subset in self.subsets.items()
        }

    def add_subset(self, key: str) -> None:
        """Know a further subset; refused where there is no such node."""
        if key not in self.subsets:
            self._further[key] = further_subset(self._taxonomy, key)

    def accuracies(self, selection: Selection) -> dict[Place, Accuracy]:
        return accuracies(self.contents, self.subsets, selection)

    def table(self, selection: Selection) -> Table:
        return chosen_table(self.cells, self.titles, selection, self.accuracies(selection))

    def figure(self, selection: Selection) -> Drawn | None:
        """Of the first subset that is chosen; may take a second."""
        if not (selection.datasets and selection.subsets):
            return None
        subset = self.subsets[selection.subsets[0]]
        tracing = Tracing(self.cells.called, self.titles)
        return chosen_figure(self.cells, tracing, subset, selection, self.accuracies(selection))

    def images(self, source: Source) -> ImageList:
        return images_behind(self.index, self.subsets, source)

    def key_of(self, number: int) -> ImageKey | None:
        """The image that goes by a number in the lists of images."""
        return self.index.key_of(number)

    def said_of(self, number: int) -> tuple[Said, ...]:
        return self.index.said_of(number)


@dataclass(frozen=True, slots=True)
class ResultsDesk:
    """What somebody may do with the results in the role that they signed in with.

    Every call may block, and is refused to whoever isn't a lead.
    """

    store: StudyStore
    code: str
    role: Role

    def read(self, progress: Progress) -> Results:
        """Compute everything; refused before the evaluation is locked."""
        self._enter()
        results = Results(read_report(self.store, ReportWish(), progress), self.store.taxonomy)
        # Hundreds of pairs have a row: whoever looks shouldn't wait for them later.
        results.make_tables()
        return results

    def picture(self, image: ImageKey) -> EncodedPicture | None:
        """The image's file; None where the study has none, or it is gone."""
        self._require_lead()
        with self.store.read() as study:
            dataset = study.datasets.find(image.dataset)
            file = study.model_predictions.file_of(image)
        if dataset is None or not file:
            return None
        try:
            return EncodedPicture(Path(file).read_bytes(), dataset.apply_exif)
        except OSError:
            return None

    def write_report(
        self,
        out: Path,
        formats: frozenset[ReportFormat],
        wish: ReportWish,
        watch: Progress,
        *,
        context: tuple[Path, Path] | None = None,
    ) -> MadeReport:
        """Write the whole report to a folder, as `labeler report` does."""
        from labeler.app.results.report_writer import make_report

        self._enter()
        return make_report(
            self.store, out, wish=wish, formats=formats, context=context, progress=watch
        )

    def _enter(self) -> None:
        """Let a lead in once answers can't change; who labels too has seen the targets then."""
        self._require_lead()
        with self.store.read() as study:
            if not evaluation_locked(study, study.phases.states()):
                raise Refused(NOT_YET)
            person = study.participants.find(self.code)
        if person is not None and Role.LABELER in person.roles:
            with self.store.write() as study:
                study.report_answers.expose(self.code, at=self.store.clock.utc())

    def _require_lead(self) -> None:
        if self.role is not Role.LEAD:
            raise Refused("The results are the lead's alone.")
