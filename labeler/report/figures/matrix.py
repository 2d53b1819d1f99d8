"""A matrix of counts, shaded by the share of each row; empty rows and columns are left out."""

from collections.abc import Sequence
from textwrap import fill
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from labeler.report.figures.figure import INK, make_axes, shorten_name

_LINE = 24  # characters of a name in one line
_CELL = 0.36  # inches


class MatrixCell(NamedTuple):
    """A cell with a count: its place in the figure, and its row and column in the counts."""

    x: int
    y: int
    row: int
    column: int
    images: int


def draw_matrix(
    names: Sequence[str], counts: np.ndarray, *, columns: str
) -> tuple[Figure, list[MatrixCell]]:
    """Draw the counts of targets in rows and of `columns` in columns, and return the cells."""
    rows_used, columns_used = np.flatnonzero(counts.any(axis=1)), np.flatnonzero(counts.any(axis=0))
    shown = counts[np.ix_(rows_used, columns_used)]
    shares = shown / shown.sum(axis=1, keepdims=True)
    figure, ax = make_axes(5.8, 2.0 + _CELL * len(rows_used))
    ax.imshow(shares, cmap="Greys", vmin=0, vmax=1, aspect="auto")
    cells = [
        MatrixCell(x, y, int(rows_used[y]), int(columns_used[x]), int(shown[y, x]))
        for y, x in np.argwhere(shown).tolist()
    ]
    for cell in cells:
        colour = "white" if shares[cell.y, cell.x] > 0.55 else INK
        ax.text(
            cell.x, cell.y, f"{cell.images}", ha="center", va="center", fontsize=7, color=colour
        )
    written = [fill(shorten_name(name), _LINE) for name in names]
    across, down = ([written[n] for n in used.tolist()] for used in (columns_used, rows_used))
    # Steep enough that two lines of a name take less room than a column.
    ax.set_xticks(
        range(len(across)), across, rotation=60, ha="right", rotation_mode="anchor", fontsize=7.5
    )
    ax.set_yticks(range(len(down)), down)
    ax.set(xlabel=columns, ylabel="target")
    ax.grid(visible=False)
    return figure, cells
