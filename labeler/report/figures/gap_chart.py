"""Everyone's gap with its interval, and the mean of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labeler.core.metrics.cell_source import EvaluationSource
from labeler.core.metrics.gap_intervals import GapGroup, GapGroupRow, GapInterval
from labeler.core.metrics.subsets import ALL
from labeler.core.study.entities import ParticipantKind
from labeler.report.accuracy_index import METRIC_TITLES, AccuracyIndex
from labeler.report.figures.figure import (
    KIND_COLOURS,
    KIND_MARKERS,
    KIND_NAMES,
    MUTED,
    AxesLimits,
    FigureDraft,
    FigureMark,
    make_axes,
    shorten_name,
)
from labeler.report.gap_tables import (
    GROUP_TITLES,
    group_source,
    participant_gaps,
    participant_source,
)
from labeler.report.table import format_signed_interval

_GROUP_OF = {
    ParticipantKind.HUMAN: GapGroup.HUMANS,
    ParticipantKind.MODEL: GapGroup.MODELS,
}
# With more models, only those with the smallest and the largest gaps are named, in rows of their
# own; the others are closer together.
_MODELS_NAMED = 14
_NAMED_AT_EACH_END = 3
_ROW, _CLOSE = 0.2, 0.3  # the height of a row in inches, and of one without a name in rows
_NAME_DISTANCE = 9.0  # points between the names of two rows


@dataclass(frozen=True, slots=True)
class _Row:
    """A participant, or the mean of a kind; `y` is where it is drawn."""

    name: str
    kind: ParticipantKind
    values: GapInterval | GapGroupRow
    source: EvaluationSource | None
    named: bool
    y: float

    @property
    def is_mean(self) -> bool:
        return isinstance(self.values, GapGroupRow)


def draw_gaps(cells: AccuracyIndex) -> FigureDraft | None:
    """Draw the gaps by the main metric, humans first, in the order of their table."""
    rows = _placed([row for kind in ParticipantKind for row in _rows(cells, kind)])
    if not rows:
        return None
    figure, ax = make_axes(5.6, 1.3 + _ROW * (rows[-1].y + 1))
    ax.axvline(0, color=MUTED, lw=0.8, ls=(0, (5, 4)))
    for kind in ParticipantKind:
        _draw_kind(ax, [row for row in rows if row.kind is kind], kind)
    metric = METRIC_TITLES[cells.main_metric].lower()
    ax.set_xlabel("gap, percentage points")
    ax.set_ylim(rows[-1].y + 0.8, -0.8)
    ax.grid(visible=False, axis="y")
    names = _RowNames(figure, ax, rows)
    names(None)
    figure.legend(loc="outside lower center", ncols=2)
    words = (
        f"Accuracy on {' minus '.join(cells.pair or ())}, with 95 % bootstrap intervals. "
        "A band is the interval of the mean of a kind."
    )
    if not all(row.named for row in rows):
        words += " Of the models, those with the smallest and the largest gaps are named."
    title = f"Gap of each participant: {metric} accuracy"
    return FigureDraft(figure, "gaps", title, words, [_mark(row) for row in rows], rename=names)


def _rows(cells: AccuracyIndex, kind: ParticipantKind) -> list[_Row]:
    """Return the mean of the kind, unless it is a single participant, and the participants."""
    gaps = [row for row in participant_gaps(cells) if row.kind is kind]
    means = [
        row
        for row in cells.numbers.gap_statistics.groups
        if (row.metric, row.subset, row.group) == (cells.main_metric, ALL, _GROUP_OF[kind])
        and len(gaps) > 1
    ]
    last = len(gaps) - _NAMED_AT_EACH_END
    all_named = kind is ParticipantKind.HUMAN or len(gaps) <= _MODELS_NAMED
    return [
        *(_Row(GROUP_TITLES[m.group], kind, m, group_source(cells, m), True, 0.0) for m in means),
        *(
            _Row(
                cells.display_name(row.participant),
                kind,
                row,
                participant_source(cells, row),
                all_named or not _NAMED_AT_EACH_END <= number < last,
                0.0,
            )
            for number, row in enumerate(gaps)
        ),
    ]


def _placed(rows: Sequence[_Row]) -> list[_Row]:
    """Return the rows from top to bottom; a kind begins with some distance from the other."""
    placed: list[_Row] = []
    for row in rows:
        step = 0.0
        if placed:
            step = 1.0 if row.named or placed[-1].named else _CLOSE
            step += 0.5 * (row.kind is not placed[-1].kind)
        y = placed[-1].y + step if placed else 0.0
        placed.append(_Row(row.name, row.kind, row.values, row.source, row.named, y))
    return placed


def _draw_kind(ax: Axes, rows: Sequence[_Row], kind: ParticipantKind) -> None:
    labels = iter((KIND_NAMES[kind],))
    for row in rows:
        at, low, high = (100 * v for v in (row.values.gap, row.values.ci_low, row.values.ci_high))
        if row.is_mean:
            half = (rows[0].y - 0.5, rows[-1].y + 0.5)
            ax.fill_betweenx(half, low, high, color=KIND_COLOURS[kind], alpha=0.15, lw=0)
        ax.errorbar(
            at,
            row.y,
            xerr=[[max(0.0, at - low)], [max(0.0, high - at)]],
            fmt=KIND_MARKERS[kind],
            color=KIND_COLOURS[kind],
            mec="white",
            mew=0.5,
            ms=7 if row.is_mean else 5 if row.named else 3.5,
            elinewidth=1.6 if row.is_mean else 0.7,
            label="" if row.is_mean else next(labels, ""),
        )


def _mark(row: _Row) -> FigureMark:
    values = row.values
    text = format_signed_interval(values.gap, values.ci_low, values.ci_high)
    return FigureMark(100 * values.gap, row.y, f"{row.name}\n{text}", row.source)


class _RowNames:
    """Names the rows; where only a part is shown, also others that have room for a name."""

    def __init__(self, figure: Figure, axes: Axes, rows: Sequence[_Row]) -> None:
        self._figure, self._axes, self._rows = figure, axes, rows
        self._longest = max(len(shorten_name(row.name)) for row in rows if row.named)

    def __call__(self, limits: AxesLimits | None) -> None:
        named = [row for row in self._rows if row.named]
        if limits is not None:
            distance = self._rows_per_name(limits)
            for row in self._rows:
                if all(abs(row.y - other.y) >= distance for other in named):
                    named.append(row)
            named = [row for row in named if limits.top <= row.y <= limits.bottom]
        self._axes.set_yticks(
            [row.y for row in named], [shorten_name(row.name, self._longest) for row in named]
        )

    def _rows_per_name(self, limits: AxesLimits) -> float:
        height = self._axes.get_position().height * self._figure.get_figheight() * 72
        return _NAME_DISTANCE * (limits.bottom - limits.top) / height
