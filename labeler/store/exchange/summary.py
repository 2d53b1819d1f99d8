"""The results of an import or export, by file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImport:
    """How many rows of a file were read, added, and skipped because the study had them.

    Of the added rows, `updated` are the next revisions of rows that the study had.
    """

    file: str
    read: int
    added: int
    skipped: int
    updated: int = 0


@dataclass(frozen=True, slots=True)
class ImportSummary:
    files: tuple[FileImport, ...]


@dataclass(frozen=True, slots=True)
class FileExport:
    """The number of rows of a written file without the header; None if it has no rows to count."""

    file: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class ExportSummary:
    files: tuple[FileExport, ...]
