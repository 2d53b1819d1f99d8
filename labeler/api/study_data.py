"""Read a study's images, answers, judgements and results."""

from functools import cached_property
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

import pandas as pd

from labeler.api.drawing import StudyFigure
from labeler.api.frames import exchange_frame, matching
from labeler.app.results.report_data import ReportRequest, read_report_data
from labeler.app.study.phase_facts import evaluation_locked
from labeler.core.clock import SystemClock
from labeler.core.errors import RefusedError
from labeler.core.metrics.report_contents import ReportContents
from labeler.core.study.entities import ParticipantKind
from labeler.core.study.exchange_format import (
    DATASETS,
    FLAGS,
    INTERVALS,
    MULTILABELS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
    ExchangeFile,
)
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.json_file import report_json
from labeler.report.json_rows import JsonRow
from labeler.store.exchange.exporter import exchange_rows
from labeler.store.study_opening import open_study

LOCKED_ANSWERS = (
    "The evaluation isn't locked, so people's answers are hidden. Lock it first, or, if you are "
    "the lead and label nothing yourself, open the study with lead=True."
)


class StudyData:
    """A study as DataFrames; every one is read when it is first used, and then kept.

    `predictions` has the guesses of models, `answers` the committed answers of people with their
    confidence and active time. Answers and results are refused before the evaluation is locked,
    unless `lead` is true. Use it in a `with` block, or call `close`.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        lead: bool = False,
        subsets: tuple[str, ...] = (),
        seed: int | None = None,
    ) -> None:
        """`subsets` are added to those of the report; `seed` replaces that of the resampling."""
        self._lead = lead
        self._request = ReportRequest(subsets=subsets, seed=seed)
        self._store = open_study(Path(path).expanduser(), clock=SystemClock())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the study; DataFrames that were read stay usable."""
        self._store.database.close()

    @cached_property
    def images(self) -> pd.DataFrame:
        return self._frame(DATASETS)

    @cached_property
    def participants(self) -> pd.DataFrame:
        return self._frame(PARTICIPANTS)

    @cached_property
    def predictions(self) -> pd.DataFrame:
        """The guesses of models, one row for each rank."""
        return self._answers_of(ParticipantKind.MODEL)

    @cached_property
    def answers(self) -> pd.DataFrame:
        """The committed answers of people, without earlier revisions."""
        self._require_lock()
        return self._answers_of(ParticipantKind.HUMAN)

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """When people were active, for each image."""
        self._require_lock()
        return self._frame(INTERVALS)

    @cached_property
    def reviews(self) -> pd.DataFrame:
        """Every reviewer's verdicts, with the origin of the label."""
        self._require_lock()
        return self._frame(REVIEWS)

    @cached_property
    def multilabels(self) -> pd.DataFrame:
        """The resolved labels of each image."""
        self._require_lock()
        return self._frame(MULTILABELS)

    @cached_property
    def flags(self) -> pd.DataFrame:
        self._require_lock()
        return self._frame(FLAGS)

    def accuracy(
        self,
        *,
        metric: str | None = None,
        dataset: str | None = None,
        subset: str | None = "all",
        participant: str | None = None,
    ) -> pd.DataFrame:
        """Return accuracies with exact intervals, as in the key `accuracy` of report.json."""
        frame = self._results("accuracy")
        return matching(
            frame, metric=metric, dataset=dataset, subset=subset, participant=participant
        )

    def gaps(
        self, *, metric: str | None = None, subset: str | None = "all", groups: bool = False
    ) -> pd.DataFrame:
        """Return gaps with bootstrap intervals, by participant or, with `groups`, by group."""
        frame = self._results("gap_groups" if groups else "gap_intervals")
        return matching(frame, metric=metric, subset=subset)

    def fits(self) -> pd.DataFrame:
        """Return the lines through the models' accuracies on both datasets."""
        return self._results("fits")

    def figure(self, name: str) -> StudyFigure:
        """Draw a figure of the report by its name, such as `learning`."""
        # Matplotlib takes long to load, and the DataFrames don't need it.
        from labeler.report.figures.all_figures import draw_figures

        self._require_lock()
        cells = AccuracyIndex(self._contents)
        found = next(draw_figures(cells, only=name), None)
        if found is None:
            known = ", ".join(figure.key for figure in draw_figures(cells, pictures=()))
            raise RefusedError(f"The report has no figure '{name}'. It has: {known or 'none'}.")
        return StudyFigure(
            name=found.key,
            title=found.title,
            caption=found.words,
            svg=found.svg.decode(),
            png=found.png,
        )

    @cached_property
    def report(self) -> JsonRow:
        """All numbers of the report, with the keys of report.json."""
        self._require_lock()
        return report_json(self._contents)

    @cached_property
    def _contents(self) -> ReportContents:
        return read_report_data(self._store, self._request)

    def _results(self, key: str) -> pd.DataFrame:
        return pd.DataFrame(self.report[key])

    def _frame(self, file: ExchangeFile) -> pd.DataFrame:
        with self._store.read() as study:
            return exchange_frame(file, exchange_rows(study, file))

    def _answers_of(self, kind: ParticipantKind) -> pd.DataFrame:
        people = self.participants
        codes = set(people.participant[people.kind == str(kind)])
        with self._store.read() as study:
            rows = (row for row in exchange_rows(study, PREDICTIONS) if row[0] in codes)
            return exchange_frame(PREDICTIONS, rows)

    def _require_lock(self) -> None:
        if self._lead:
            return
        with self._store.read() as study:
            if not evaluation_locked(study, study.phases.states()):
                raise RefusedError(LOCKED_ANSWERS)
