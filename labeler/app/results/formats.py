"""As what a report can be written, what a lead asks of it, and what came of it.

Apart from the making, which brings matplotlib along.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ReportFormat(StrEnum):
    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    LATEX = "latex"
    SVG = "svg"
    PNG = "png"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """What a lead asks for: further subsets, people's names, a group file, a seed."""

    subsets: tuple[str, ...] = ()
    names: bool = False
    groups: Path | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReport:
    """What was written, what the report couldn't give, and whether answers may still change."""

    files: tuple[Path, ...]
    omissions: tuple[str, ...]
    evaluation_locked: bool
