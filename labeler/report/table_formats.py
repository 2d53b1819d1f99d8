"""Tables as CSV, LaTeX (booktabs) and Python code; all text is escaped."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from labeler.report.table import ReportTable


def table_csv(table: ReportTable) -> bytes:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(table.rows)
    return text.getvalue().encode("utf-8", "replace")


_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_WITH_INTERVAL = re.compile(rf"({_NUMBER}) \[({_NUMBER}), ({_NUMBER})\]")
_PLAIN_NUMBER = re.compile(_NUMBER)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def table_pandas(table: ReportTable) -> str:
    """Return code that makes a DataFrame; an interval becomes two columns of its own."""
    rows = [[_plain(text) for text in row] for row in table.rows]
    split = [any(_WITH_INTERVAL.fullmatch(row[x]) for row in rows) for x in range(len(table.head))]
    names = [
        name
        for head, wide in zip(table.head, split, strict=True)
        for name in ((head, f"{head}, low", f"{head}, high") if wide else (head,))
    ]
    values = [
        [
            value
            for text, wide in zip(row, split, strict=True)
            for value in (_interval(text) if wide else (_value(text),))
        ]
        for row in rows
    ]
    return frame_code(names, values)


def frame_code(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return Python code that makes a DataFrame of the rows."""
    lines = "".join(f"        {list(row)!r},\n" for row in rows)
    return (
        f"import pandas as pd\n\ndata = pd.DataFrame(\n    [\n{lines}    ],\n"
        f"    columns={list(columns)!r},\n)\n"
    )


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", text.replace("−", "-"))


def _value(text: str) -> object:
    if text in ("", "–"):
        return None
    if not _PLAIN_NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


def _interval(text: str) -> tuple[object, ...]:
    found = _WITH_INTERVAL.fullmatch(text)
    return tuple(map(float, found.groups())) if found else (_value(text), None, None)


_ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": r"$-$",
    "≤": r"$\leq$",
    "\n": " ",
    "\r": " ",
}


def escape_latex(text: str) -> str:
    return "".join(_ESCAPED.get(character, character) for character in text)


def table_latex(table: ReportTable) -> bytes:
    """Return a table environment that needs only \\usepackage{booktabs}."""
    align = "".join("r" if column.number else "l" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escape_latex(table.title)}. {escape_latex(table.note)}}}",
        rf"  \label{{tab:{table.key}}}",
        rf"  \begin{{tabular}}{{{align}}}",
        r"    \toprule",
        f"    {_line(table.head)}",
        r"    \midrule",
        *(f"    {_line(row)}" for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _line(cells: tuple[str, ...]) -> str:
    # A bracket at the start of a cell would be read as an option of the previous line.
    return " & ".join(f"{{}}{c}" if c[:1] == "[" else c for c in map(escape_latex, cells)) + r" \\"
