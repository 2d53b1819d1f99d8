"""The summary of an import, in lines for a person and as JSON for a script."""

from collections.abc import Iterator, Mapping, Sequence

from labeler.app.datasets.contact_sheets import SheetsReport
from labeler.app.datasets.import_request import ImportReport
from labeler.core.text import count_noun
from labeler.images.dataset_files import IgnoredReason
from labeler.images.oddities import Oddity
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.datasets import OddFile

_EXAMPLES = 3
_Kind = type[Oddity] | type[UnreadableReason] | type[IgnoredReason]


def report_lines(
    report: ImportReport | None, sheets: SheetsReport | None, *, names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of the summary; `names` are the class names by wnid."""
    if report is not None:
        yield from _dataset_lines(report, names)
    if sheets is not None:
        yield from _sheet_lines(sheets)


def report_json(report: ImportReport | None, sheets: SheetsReport | None) -> dict[str, object]:
    document: dict[str, object] = {}
    if report is not None:
        document |= {
            "dataset": report.dataset.name,
            "role": report.dataset.role.value,
            "layout": report.dataset.layout,
            "images": report.dataset.images,
            "odd_files": [
                {"name": odd.name, "kind": odd.kind, "imported": odd.imported}
                for odd in report.odd_files
            ],
            "duplicates": [
                {
                    "image": one.image,
                    "same_as": {"dataset": other.dataset, "image": other.image},
                }
                for one, other in report.duplicates
            ],
            "shortages": [
                {"wnid": s.wnid, "wanted": s.wanted, "available": s.available}
                for s in report.shortages
            ],
        }
    if sheets is not None:
        document["panels"] = {"built": sheets.built, "current": sheets.current}
    return document


def _dataset_lines(report: ImportReport, names: Mapping[str, str]) -> Iterator[str]:
    dataset = report.dataset
    yield f"Added {count_noun(dataset.images, 'image')} as {dataset.role} dataset “{dataset.name}”."
    if report.resumed_at:
        yield f"Resumed an interrupted import after {count_noun(report.resumed_at, 'file')}."
    yield from odd_file_sentences(report)
    if report.duplicates:
        one, other = report.duplicates[0]
        found = count_noun(len(report.duplicates), "image is a duplicate", "images are duplicates")
        yield f"{found}, for example {one.image} = {other.dataset}: {other.image}."
    if report.shortages:
        worst = min(report.shortages, key=lambda s: (s.available, s.wnid))
        yield (
            f"{count_noun(len(report.shortages), 'class', 'classes')} had fewer than "
            f"{count_noun(worst.wanted, 'image')}; "
            f"the fewest: {names[worst.wnid]} with {worst.available}."
        )


def odd_file_sentences(report: ImportReport) -> Iterator[str]:
    """Yield a line for each reason why files were skipped or noted, with examples."""
    for sentence, files in _odd_groups(report.odd_files):
        examples = ", ".join(files[:_EXAMPLES]) + (", …" if len(files) > _EXAMPLES else "")
        yield f"{sentence}: {examples}"


def odd_file_lines(odd_files: Sequence[OddFile]) -> Iterator[str]:
    """Yield the skipped and noted files, grouped by reason."""
    for place, (sentence, files) in enumerate(_odd_groups(odd_files)):
        if place:
            yield ""
        yield f"{sentence}:"
        yield from (f"  {name}" for name in files)


def _odd_groups(odd_files: Sequence[OddFile]) -> Iterator[tuple[str, list[str]]]:
    """Yield a description and the files of each group."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for odd in odd_files:
        groups.setdefault((odd.kind, odd.imported), []).append(odd.name)
    for (kind, imported), files in sorted(groups.items()):
        verb = "Noted" if imported else "Skipped"
        noun = "folder" if kind == IgnoredReason.OTHER_FOLDER else "file"
        yield f"{verb} {count_noun(len(files), noun)} {_fragment(kind, imported)}", files


def _fragment(kind: str, imported: bool) -> str:
    candidates: tuple[_Kind, ...] = (Oddity,) if imported else (UnreadableReason, IgnoredReason)
    for enum in candidates:
        if kind in set(enum):
            return enum(kind).fragment
    return kind


def _sheet_lines(sheets: SheetsReport) -> Iterator[str]:
    there = f", {sheets.current:,} already up to date" if sheets.current else ""
    yield f"Reference images: {count_noun(sheets.built, 'class', 'classes')} prepared{there}."
    for swap, classes in sheets.replaced:
        show = count_noun(classes, "class now shows", "classes now show")
        yield f"{show} the reference images of {swap.now} instead of those of {swap.before}."
    for dataset in sheets.missing:
        yield f"The folder of {dataset.name}, {dataset.root}, isn't on this computer."
    if sheets.bare:
        count = count_noun(sheets.bare, "class of the study has", "classes of the study have")
        yield f"{count} no reference images."
    for key, reason in sheets.problems:
        yield f"{key.dataset}: {key.image} can't be shown: an image {reason.fragment}."
