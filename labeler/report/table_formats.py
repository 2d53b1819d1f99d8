"""Tables as CSV and LaTeX (booktabs); all text is escaped."""

import csv
from io import StringIO

from labeler.report.table import ReportTable


def table_csv(table: ReportTable) -> bytes:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(table.rows)
    return text.getvalue().encode("utf-8", "replace")


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
