"""What someone gives to be imported is recognised by what is in it, not by what it is called."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import read_json, require_regular_file
from labeler.store.exchange.files import FoundFiles, find_in_folder, find_single_files, read_header

# Every pickle of the last twenty years begins so, and every array of numpy's.
# By all protocols: the first two have no sign of their own, and begin with what they hold.
_PICKLES = (b"\x80", b"(d", b"}")
_ARRAY = b"\x93NUMPY"
_ARCHIVE = b"PK\x03\x04"
# The byte order marks of text as some spreadsheets save it.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BEGINNING = 64


class ForeignFormat(StrEnum):
    """A file that someone else's program writes, as a person would call it."""

    HUMAN_ACCURACY = "human_accuracy.pickle"
    JUDGED = "human_accuracy.json"
    REAL = "real.json"


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file of another program's; `document` is its JSON, None for a pickle."""

    format: ForeignFormat
    path: Path
    document: object = None


# Tables that people have and that are no import: the columns they are known by, what to do with
# them, and what to type for it.
_OTHER_TABLES = (
    (
        {"image", "label"},
        "it lists images with their labels. Add it as a dataset of images to classify.",
        "`labeler add-dataset STUDY NAME FILE --layout manifest` does it.",
    ),
    (
        {"image", "wnid"},
        "it gives the images of a folder their labels. Give it together with the folder when you "
        "add the images to classify.",
        "`labeler add-dataset STUDY NAME FOLDER --labels FILE` does it.",
    ),
    (
        {"subj", "object_response"},
        "it holds trials of the model-vs-human toolbox, which are written and never read.",
        "",
    ),
    (
        {"model", "top1"},
        "it is a table of results as timm's, without anybody's predictions.",
        "`labeler models --results` and `labeler report --context` read it.",
    ),
)


def recognise_files(paths: Sequence[Path]) -> FoundFiles | ForeignFile:
    """Files of the exchange format, or one file of another program's."""
    for path in paths:
        if not path.exists():
            raise RefusedError(f"There is no folder or file {path}: check how it is spelled.")
        require_regular_file(path)
    if not paths:
        raise RefusedError("Nothing was given to be imported.")
    if any(path.is_dir() for path in paths):
        if len(paths) > 1:
            raise RefusedError("Give one folder alone, or one or more files.")
        return find_in_folder(paths[0])
    if len(paths) > 1:
        return find_single_files(paths)
    return _recognise_file(paths[0])


def find_predictions_file(paths: Sequence[Path]) -> Path | None:
    """The file where it is one array of numpy's, of which someone has to say what it is about."""
    alone = paths[0] if len(paths) == 1 and paths[0].is_file() else None
    return alone if alone is not None and _begins(alone).startswith(_ARRAY) else None


def _recognise_file(path: Path) -> FoundFiles | ForeignFile:
    beginning = _begins(path)
    if beginning.startswith(_PICKLES):
        return ForeignFile(ForeignFormat.HUMAN_ACCURACY, path)
    if beginning.startswith(_ARRAY):
        problem = "it is an array of numpy's. Which model's, on which images, it doesn't say."
        typed = "`labeler import-predictions` asks for it."
        raise InputError(problem, file=path, by_command=typed)
    if beginning.startswith(_UTF_16):
        raise InputError("this is UTF-16, and not UTF-8 text: save the file as UTF-8.", file=path)
    if beginning.startswith(_ARCHIVE):
        problem = (
            "it is an archive, as .zip and .npz files are. Take the file that is meant out of it; "
            "an array of predictions is saved as .npy (numpy.save)."
        )
        raise InputError(problem, file=path)
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
        problem = (
            f"neither a pickle nor JSON, so none of {', '.join(ForeignFormat)}, "
            "and no CSV file of the exchange format."
        )
        raise InputError(problem, file=path)
    return find_single_files([path])


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as opened:
            return opened.read(_BEGINNING)
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error
