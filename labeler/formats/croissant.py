"""Croissant 1.1: metadata with which machine-learning tools load the exported files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CROISSANT_FILE = "croissant.json"
CROISSANT_VERSION = "http://mlcommons.org/croissant/1.1"

# The context that the specification requires in every file.
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_ENCODINGS = {".csv": "text/csv", ".parquet": "application/x-parquet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CroissantTable:
    """A file with its hash, and its columns with their schema.org types."""

    file: str
    size: int
    sha256: str
    description: str
    columns: Mapping[str, str]
    key: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CroissantStudy:
    """What is said about the study as a whole; `published` is a date such as 2026-03-01."""

    name: str
    description: str
    published: str
    version: str


def croissant_document(
    study: CroissantStudy, tables: Iterable[CroissantTable]
) -> dict[str, object]:
    """Return the metadata: every file with its hash, every table with its columns."""
    tables = list(tables)
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CROISSANT_VERSION,
        "name": study.name,
        "description": study.description,
        "datePublished": study.published,
        "version": study.version,
        "distribution": [_file_object(table) for table in tables],
        "recordSet": [_record_set(table) for table in tables],
    }


def _file_object(table: CroissantTable) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": table.file,
        "name": table.file,
        "contentUrl": table.file,
        "contentSize": f"{table.size} B",
        "encodingFormat": _ENCODINGS[table.file[table.file.rindex(".") :]],
        "sha256": table.sha256,
    }


def _record_set(table: CroissantTable) -> dict[str, object]:
    name = table.file.rpartition(".")[0]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.description,
        "key": [{"@id": f"{name}/{column}"} for column in table.key],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": kind,
                "source": {"fileObject": {"@id": table.file}, "extract": {"column": column}},
            }
            for column, kind in table.columns.items()
        ],
    }
