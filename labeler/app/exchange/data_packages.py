"""What other tools need next to the exported tables: metadata, a dataset card, a script."""

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from labeler.app.exchange.export_formats import ExportFormat
from labeler.core.study.entities import ParticipantKind, Verdict
from labeler.core.study.exchange_format import (
    DATASETS,
    EXCHANGE_FILES,
    MULTILABELS,
    ColumnKind,
    ExchangeFile,
)
from labeler.core.text import count_noun
from labeler.formats.croissant import (
    CROISSANT_FILE,
    CroissantStudy,
    CroissantTable,
    croissant_document,
)
from labeler.formats.hugging_face import (
    CARD_FILE,
    IMAGES_FOLDER,
    IMAGES_TABLE,
    CardTable,
    dataset_card,
    split_names,
)
from labeler.locations import RESOURCES
from labeler.store.exchange.export_rows import dataset_export_rows, multilabel_export_rows
from labeler.store.exchange.parquet.image_table import ImageRecord, write_image_table
from labeler.store.exchange.summary import FileExport
from labeler.store.study_store import StudyStore, Transaction

FIFTYONE_SCRIPT = "fiftyone_dataset.py"
CLASS_NAMES_FILE = "class_names.json"

_TYPES = {
    ColumnKind.TEXT: "sc:Text",
    # Times may be missing, which only texts can be.
    ColumnKind.TIME: "sc:Text",
    ColumnKind.WHOLE: "sc:Integer",
    ColumnKind.DECIMAL: "sc:Float",
    ColumnKind.FLAG: "sc:Boolean",
}
assert set(_TYPES) == set(ColumnKind), "every kind of column has a type"
_FILES = {file.stem: file for file in EXCHANGE_FILES}

PackageWriter = Callable[[Path, tuple[FileExport, ...]], Iterable[FileExport]]


def package_writer(
    store: StudyStore, wanted: ExportFormat, *, names: bool, pictures: bool
) -> PackageWriter:
    """Return what writes the further files of the format to the folder of an export."""

    def write(folder: Path, files: tuple[FileExport, ...]) -> Iterator[FileExport]:
        for part in _PARTS[wanted]:
            if part == CROISSANT_FILE:
                yield _write_croissant(store, folder, files, names=names)
            elif part == CARD_FILE:
                yield from _write_card(store, folder, files, pictures=pictures)
            else:
                yield from _write_script(store, folder)

    return write


_PARTS: Mapping[ExportFormat, tuple[str, ...]] = {
    ExportFormat.EXCHANGE: (),
    ExportFormat.PARQUET: (CROISSANT_FILE,),
    ExportFormat.HUGGING_FACE: (CROISSANT_FILE, CARD_FILE),
    ExportFormat.CROISSANT: (CROISSANT_FILE,),
    ExportFormat.FIFTYONE: (FIFTYONE_SCRIPT,),
}


def package_files(store: StudyStore, wanted: ExportFormat) -> tuple[FileExport, ...]:
    """Return the further files that an export of this format writes."""
    found: list[FileExport] = []
    for part in _PARTS[wanted]:
        found.append(FileExport(part, None))
        if part == FIFTYONE_SCRIPT:
            found.append(FileExport(CLASS_NAMES_FILE, None))
        if part == CARD_FILE:
            with store.read() as study:
                counts = {name: len(rows) for name, rows in _images(study).items()}
            found += [
                FileExport(_images_file(split), counts[name])
                for name, split in split_names(list(counts)).items()
            ]
    return tuple(found)


def study_description(store: StudyStore) -> str:
    """Return a sentence about who answered how many images."""
    with store.read() as study:
        kinds = [person.kind for person in study.participants.all()]
        images = sum(len(rows) for rows in _images(study).values())
    people = kinds.count(ParticipantKind.HUMAN)
    return (
        f"Answers and judgements of {count_noun(people, 'person', 'people')} and "
        f"{count_noun(len(kinds) - people, 'model')} on {count_noun(images, 'image')}, exported "
        f"from the study “{store.identity.name}”."
    )


def _write_croissant(
    store: StudyStore, folder: Path, files: Iterable[FileExport], *, names: bool
) -> FileExport:
    tables = [_croissant_table(folder / each.file, names=names) for each in files]
    about = CroissantStudy(
        name=store.identity.name,
        description=study_description(store),
        published=store.clock.utc().date().isoformat(),
        version="1.0.0",
    )
    document = json.dumps(croissant_document(about, tables), indent=2, ensure_ascii=False)
    (folder / CROISSANT_FILE).write_text(f"{document}\n", encoding="utf-8")
    return FileExport(CROISSANT_FILE, None)


def _croissant_table(path: Path, *, names: bool) -> CroissantTable:
    file = _FILES[path.stem]
    columns = (*file.exported, *file.optional) if names else file.exported
    with path.open("rb") as stream:
        digest = sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return CroissantTable(
        file=path.name,
        size=path.stat().st_size,
        sha256=digest.hexdigest(),
        description=f"The rows of {path.name}, identified by {', '.join(_key(file))}.",
        columns={column: _type(path, file.kind_of(column)) for column in columns},
        key=_key(file),
    )


def _key(file: ExchangeFile) -> tuple[str, ...]:
    return file.key_in(file.exported)


def _type(path: Path, kind: ColumnKind) -> str:
    # In a CSV file flags are 0 and 1, and an empty number is a text to some readers.
    in_csv = {ColumnKind.FLAG: "sc:Integer"} if path.suffix == ".csv" else {}
    return in_csv.get(kind, _TYPES[kind])


def _write_card(
    store: StudyStore, folder: Path, files: Iterable[FileExport], *, pictures: bool
) -> Iterator[FileExport]:
    (folder / IMAGES_FOLDER).mkdir()
    with store.read() as study:
        images, labels = _images(study), _labels(study)
    splits = split_names(list(images))
    written = {}
    for dataset, split in splits.items():
        records = _records(store, images[dataset], labels, pictures=pictures)
        file = _images_file(split)
        count = write_image_table(folder / file, records, pictures=pictures)
        written[split] = FileExport(file, count)
    tables = [CardTable(IMAGES_TABLE, {split: each.file for split, each in written.items()})]
    tables += [CardTable(Path(each.file).stem, {"train": each.file}) for each in files if each.rows]
    text = (
        f"{study_description(store)} `images` has one row per image with its labels, and one split "
        "per dataset; the other tables are those of labeler's exchange format."
    )
    card = dataset_card(store.identity.name, text, [t for t in tables if t.files])
    (folder / CARD_FILE).write_text(card, encoding="utf-8")
    yield FileExport(CARD_FILE, None)
    yield from written.values()


def _images_file(split: str) -> str:
    return f"{IMAGES_FOLDER}/{split}.parquet"


def _images(study: Transaction) -> dict[str, list[dict[str, str]]]:
    """Return the rows of datasets.csv by dataset."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in dataset_export_rows(study.session):
        fields = dict(zip(DATASETS.columns, map(str, row), strict=True))
        found[fields["dataset"]].append(fields)
    return found


def _labels(study: Transaction) -> dict[tuple[str, str, str], list[str]]:
    """Return the judged labels by dataset, image and state."""
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in multilabel_export_rows(study.session):
        fields = dict(zip(MULTILABELS.columns, map(str, row), strict=True))
        found[fields["dataset"], fields["image"], fields["state"]].append(fields["label"])
    return found


def _records(
    store: StudyStore,
    images: Iterable[Mapping[str, str]],
    labels: Mapping[tuple[str, str, str], list[str]],
    *,
    pictures: bool,
) -> Iterator[ImageRecord]:
    names = store.taxonomy.display_names
    for row in images:

        def judged(state: Verdict, row: Mapping[str, str] = row) -> tuple[str, ...]:
            return tuple(labels.get((row["dataset"], row["image"], str(state)), ()))

        path = Path(row["path"]) if pictures and row["path"] else None
        yield ImageRecord(
            image=row["image"],
            target=row["target"],
            target_name=names.get(row["target"], row["target"]),
            problematic=tuple(filter(None, row["problematic"].split("|"))),
            correct_labels=judged(Verdict.CORRECT),
            wrong_labels=judged(Verdict.WRONG),
            unclear_labels=judged(Verdict.UNCLEAR),
            picture=path.read_bytes() if path is not None and path.is_file() else None,
        )


def _write_script(store: StudyStore, folder: Path) -> Iterator[FileExport]:
    shutil.copyfile(RESOURCES / "export" / FIFTYONE_SCRIPT, folder / FIFTYONE_SCRIPT)
    names = json.dumps(dict(store.taxonomy.display_names), ensure_ascii=False, indent=0)
    (folder / CLASS_NAMES_FILE).write_text(names, encoding="utf-8")
    yield FileExport(FIFTYONE_SCRIPT, None)
    yield FileExport(CLASS_NAMES_FILE, None)
