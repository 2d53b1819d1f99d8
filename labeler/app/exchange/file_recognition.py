"""Recognising files to import by their contents, not by their names."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import read_json, require_regular_file
from labeler.store.exchange.files import FoundFiles, find_in_folder, find_single_files, read_header

# The first bytes of pickles. Protocols 0 and 1 have no signature and start with their contents.
_PICKLES = (b"\x80", b"(d", b"}")
_ARRAY = b"\x93NUMPY"
_ARCHIVE = b"PK\x03\x04"
# Byte order marks, as written by some spreadsheets.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BEGINNING = 64


class ForeignFormat(StrEnum):
    """A file of another program, by its usual name."""

    HUMAN_ACCURACY = "human_accuracy.pickle"
    JUDGED = "human_accuracy.json"
    REAL = "real.json"


IMAGE_LIST = "it lists images with their labels. Add it as a dataset of images to classify."
LABELS_FILE = (
    "it contains the labels of a folder's images. Choose it together with the folder when you add "
    "the images to classify."
)
MODEL_VS_HUMAN_TRIALS = (
    "it contains trials of the model-vs-human toolbox, which can be exported but not imported."
)
TIMM_RESULTS = "it is a table of timm results, without the predictions."
NUMPY_ARRAY = "it is a NumPy array, which doesn't say which model and which images it is about."
IMPORT_PREDICTIONS_COMMAND = "Use `labeler import-predictions`, which asks for them."
UTF_16_TEXT = "it is UTF-16 text. Save the file as UTF-8."
ARCHIVE = (
    "it is an archive, like .zip and .npz files. Extract the file that you want to import. Save "
    "predictions as .npy (numpy.save)."
)
UNKNOWN_FORMAT = (
    f"unknown format: neither a CSV file of the exchange format, nor {', '.join(ForeignFormat)}."
)
ONE_FOLDER_OR_FILES = "Choose a single folder, or one or more files."


def no_such_path_text(path: Path) -> str:
    return f"There is no folder or file {path}. Check the spelling."


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file of another program; `document` is its JSON, or None for a pickle."""

    format: ForeignFormat
    path: Path
    document: object = None


# Tables that can't be imported here: their columns, what to do with them, and the command.
_OTHER_TABLES = (
    (
        {"image", "label"},
        IMAGE_LIST,
        "Use `labeler add-dataset STUDY NAME FILE --layout manifest`.",
    ),
    (
        {"image", "wnid"},
        LABELS_FILE,
        "Use `labeler add-dataset STUDY NAME FOLDER --labels FILE`.",
    ),
    (
        {"subj", "object_response"},
        MODEL_VS_HUMAN_TRIALS,
        "",
    ),
    (
        {"model", "top1"},
        TIMM_RESULTS,
        "Use it with `labeler models --results` or `labeler report --context`.",
    ),
)


def recognise_files(paths: Sequence[Path]) -> FoundFiles | ForeignFile:
    """Return files of the exchange format, or one file of another program."""
    for path in paths:
        if not path.exists():
            raise RefusedError(no_such_path_text(path))
        require_regular_file(path)
    if not paths:
        raise RefusedError("There is nothing to import.")
    if any(path.is_dir() for path in paths):
        if len(paths) > 1:
            raise RefusedError(ONE_FOLDER_OR_FILES)
        return find_in_folder(paths[0])
    if len(paths) > 1:
        return find_single_files(paths)
    return _recognise_file(paths[0])


def find_predictions_file(paths: Sequence[Path]) -> Path | None:
    """Return the file if it is a single NumPy array, which needs more details."""
    alone = paths[0] if len(paths) == 1 and paths[0].is_file() else None
    return alone if alone is not None and _begins(alone).startswith(_ARRAY) else None


def _recognise_file(path: Path) -> FoundFiles | ForeignFile:
    beginning = _begins(path)
    if beginning.startswith(_PICKLES):
        return ForeignFile(ForeignFormat.HUMAN_ACCURACY, path)
    if beginning.startswith(_ARRAY):
        raise InputError(NUMPY_ARRAY, file=path, by_command=IMPORT_PREDICTIONS_COMMAND)
    if beginning.startswith(_UTF_16):
        raise InputError(UTF_16_TEXT, file=path)
    if beginning.startswith(_ARCHIVE):
        raise InputError(ARCHIVE, file=path)
    if beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
        document = read_json(path)
        kind = ForeignFormat.REAL if isinstance(document, list) else ForeignFormat.JUDGED
        return ForeignFile(kind, path, document)
    return _recognise_table(path)


def _recognise_table(path: Path) -> FoundFiles:
    columns = set(read_header(path))
    for known, problem, typed in _OTHER_TABLES:
        if known <= columns and "dataset" not in columns:
            raise InputError(problem, file=path, by_command=typed)
    if len(columns) < 2:
        raise InputError(UNKNOWN_FORMAT, file=path)
    return find_single_files([path])


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as opened:
            return opened.read(_BEGINNING)
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error
