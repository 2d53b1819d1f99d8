"""A table of a report as plain text in cells: what CSV, LaTeX, HTML and PDF all show."""

from dataclasses import dataclass

# In the place of a number that there isn't.
NONE = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A column and whether it holds numbers, which stand to the right."""

    title: str
    number: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`key` names its files; `note` says what a reader must know to read it right."""

    key: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def head(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


def text_column(title: str) -> Column:
    return Column(title, number=False)


def percent(share: float) -> str:
    """`84.2`: a fraction as percent with one decimal."""
    return f"{100 * share:.1f}"


def with_interval(share: float, low: float, high: float) -> str:
    """`84.2 [81.8, 86.5]`."""
    return f"{percent(share)} [{percent(low)}, {percent(high)}]"


def signed(share: float) -> str:
    """`+2.1`, or `−0.4` with a real minus; nothing, and less than can be seen, has no sign."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def p_text(p_value: float) -> str:
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"
