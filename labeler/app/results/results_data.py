"""The lead's results: read once, then queried while the window is open."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.app.results.image_index import ImageIndex, ParticipantAnswer
from labeler.app.results.report_data import (
    ReportFormat,
    ReportRequest,
    WrittenReport,
    read_report_data,
)
from labeler.app.results.report_writer import make_report
from labeler.app.results.selection import (
    MetricCell,
    Selection,
    parse_subset,
    selected_accuracies,
    selection_subsets,
)
from labeler.app.results.selection_figure import draw_selection_figure
from labeler.app.results.selection_table import make_selection_table
from labeler.app.results.source_images import SourceImageList, find_source_images
from labeler.app.study.phase_facts import evaluation_locked
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.cell_source import CellSource
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.metrics.subsets import Subset
from labeler.core.study.entities import ImageKey, Role
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.all_tables import report_tables
from labeler.report.cell_source_builder import CellSourceBuilder
from labeler.report.figures.all_figures import draw_figures
from labeler.report.figures.figure import RenderedFigure
from labeler.report.galleries import Gallery, galleries
from labeler.report.table import ReportTable
from labeler.store.study_store import StudyStore

RESULTS_NOT_OPEN = (
    "Results are available after the evaluation is locked; until then, no one can see answers. "
    "See the home page for everyone's progress."
)


LEAD_ONLY = "Only the lead can see the results."


class StudyResults:
    """Everything that was read and computed, and what can be derived without reading again."""

    def __init__(self, contents: ReportContents, taxonomy: Taxonomy) -> None:
        self.contents = contents
        self.cells = AccuracyIndex(contents)
        self.index = ImageIndex(contents)
        self._taxonomy = taxonomy
        self._further: dict[str, Subset] = {}

    def make_tables(self) -> None:
        """Compute the tables and galleries now, which may take a while."""
        _made = self.tables, self.galleries

    @cached_property
    def tables(self) -> tuple[ReportTable, ...]:
        """The tables of the report."""
        return tuple(report_tables(self.cells))

    @cached_property
    def galleries(self) -> tuple[Gallery, ...]:
        """The galleries of the report, each with the source of all its images."""
        return tuple(galleries(self.contents))

    def figures(self) -> Iterator[RenderedFigure]:
        """Yield the figures of the report, each drawn on request."""
        return draw_figures(self.cells)

    @property
    def subsets(self) -> Mapping[str, Subset]:
        own = {subset.key: subset for subset in self.contents.numbers.subsets}
        return own | self._further

    @property
    def titles(self) -> dict[str, str]:
        """The titles of subsets; superclasses are marked, because a group can share the name."""
        return {
            key: f"{subset.title} (superclass)" if subset.is_superclass else subset.title
            for key, subset in self.subsets.items()
        }

    def add_subset(self, key: str) -> None:
        """Add a subset; refused if there is no such node."""
        if key not in self.subsets:
            self._further[key] = parse_subset(self._taxonomy, key)

    def accuracies(self, selection: Selection) -> dict[MetricCell, Accuracy]:
        return selected_accuracies(self.contents, self.subsets, selection)

    def table(self, selection: Selection) -> ReportTable:
        shown = selection_subsets(self.contents, self.subsets, selection)
        distinct = replace(selection, subsets=shown.keys)
        return make_selection_table(
            self.cells,
            self.titles,
            distinct,
            self.accuracies(distinct),
            left_out=shown.sentence,
        )

    def figure(self, selection: Selection) -> RenderedFigure | None:
        """Draw the first selected subset; may take a second."""
        if not (selection.datasets and selection.subsets):
            return None
        subset = self.subsets[selection.subsets[0]]
        tracing = CellSourceBuilder(self.cells.display_name, self.titles)
        return draw_selection_figure(
            self.cells, tracing, subset, selection, self.accuracies(selection)
        )

    def images(self, source: CellSource) -> SourceImageList:
        return find_source_images(self.index, self.subsets, source)

    def key_of(self, number: int) -> ImageKey | None:
        """Return the image with this number in the lists of images."""
        return self.index.key_of(number)

    def answers_to_image(self, number: int) -> tuple[ParticipantAnswer, ...]:
        return self.index.answers_to_image(number)


@dataclass(frozen=True, slots=True)
class ResultsReader:
    """Access to the results in the role of the signed-in person.

    Every call may block, and is refused to anyone but a lead.
    """

    store: StudyStore
    code: str
    role: Role

    def read(self, progress: ProgressReporter) -> StudyResults:
        """Compute everything; refused before the evaluation is locked."""
        self._enter()
        results = StudyResults(
            read_report_data(self.store, ReportRequest(), progress), self.store.taxonomy
        )
        # Built now, because tables with hundreds of pairs would delay the first look at them.
        results.make_tables()
        return results

    def picture(self, image: ImageKey) -> EncodedImage | None:
        """Return the image file's contents, or None if there is none."""
        self._require_lead()
        with self.store.read() as study:
            dataset = study.datasets.find(image.dataset)
            file = study.model_predictions.file_of(image)
        if dataset is None or not file:
            return None
        try:
            return EncodedImage(Path(file).read_bytes(), dataset.apply_exif)
        except OSError:
            return None

    def write_report(
        self,
        out: Path,
        formats: frozenset[ReportFormat],
        request: ReportRequest,
        watch: ProgressReporter,
        *,
        context: tuple[Path, Path] | None = None,
    ) -> WrittenReport:
        """Write the whole report to a folder, like `labeler report`."""
        self._enter()
        return make_report(
            self.store, out, request=request, formats=formats, context=context, progress=watch
        )

    def _enter(self) -> None:
        """Admit a lead after the lock; one who also labels is recorded as having seen targets."""
        self._require_lead()
        with self.store.read() as study:
            if not evaluation_locked(study, study.phases.states()):
                raise RefusedError(RESULTS_NOT_OPEN)
            person = study.participants.find(self.code)
        if person is not None and Role.LABELER in person.roles:
            with self.store.write() as study:
                study.report_answers.record_exposures(self.code, at=self.store.clock.utc())

    def _require_lead(self) -> None:
        if self.role is not Role.LEAD:
            raise RefusedError(LEAD_ONLY)
