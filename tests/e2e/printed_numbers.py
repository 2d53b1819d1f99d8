"""Numbers as tables print them, written once more for the tests."""

from typing import Any

Report = dict[str, Any]
NONE = "–"


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def spanned(row: Report | None) -> str:
    if row is None:
        return NONE
    if row.get("ci_low") is None:
        return percent(row["accuracy"])
    return f"{percent(row['accuracy'])} [{percent(row['ci_low'])}, {percent(row['ci_high'])}]"


def signed(share: float) -> str:
    text = f"{100 * share:+.1f}"
    return "0.0" if float(text) == 0 else text.replace("-", "−")


def signed_span(row: Report | None, name: str = "gap") -> str:
    if row is None:
        return NONE
    return f"{signed(row[name])} [{signed(row['ci_low'])}, {signed(row['ci_high'])}]"


def minus(value: float | None, digits: int = 3) -> str:
    return NONE if value is None else f"{value:.{digits}f}".replace("-", "−")


def p_text(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def ends(interval: list[float] | None) -> str:
    if interval is None:
        return NONE
    return f"[{interval[0]:.2f}, {interval[1]:.2f}]".replace("-", "−")
