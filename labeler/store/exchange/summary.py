"""What an import or an export did, file by file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImport:
    """How many rows of a file were read, added, and skipped because the study had them."""

    file: str
    read: int
    added: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What came in; `ignored` are other CSV files of the folder, which the format doesn't know."""

    files: tuple[FileImport, ...]
    ignored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileExport:
    """How many rows a written file has, its header not counted; None where it has none to count."""

    file: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class ExportSummary:
    files: tuple[FileExport, ...]
