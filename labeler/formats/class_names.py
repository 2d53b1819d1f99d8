"""Read names of classes in another language, from a wordnet's tab file or a CSV.

A tab file is what the Open Multilingual Wordnet publishes for each language; its synsets are those
of WordNet 3.0, as ImageNet's wnids are: `02361337-n	lemma	Murmeltier`.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from labeler.core.classes.taxonomy import ClassNames
from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.input_files import require_regular_file

_SYNSET = re.compile(r"(\d{8})-n")
_WNID, _NAME, _LANGUAGE = "wnid", "name", "language"


def read_class_names(file: Path) -> ClassNames:
    """Read a tab file or a CSV; skip lines that aren't names of nouns."""
    require_regular_file(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this isn't UTF-8 text. Save the file as UTF-8.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    lines = text.splitlines()
    read = _csv(lines, file) if file.suffix.lower() == ".csv" else _tab(lines, file)
    if not read.names:
        raise InputError("it contains no name of a WordNet noun.", file=file)
    return read


def _tab(lines: list[str], file: Path) -> ClassNames:
    head = lines[0].lstrip("# ").split("\t") if lines and lines[0].startswith("#") else []
    language = head[1].strip() if len(head) > 1 and head[1].strip() else file.stem
    return ClassNames(language, _gathered(_tab_rows(lines, file)))


def _tab_rows(lines: list[str], file: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) < 3:
            problem = "a line must have a synset, a type and a name, separated by tabs."
            raise InputError(problem, file=file, line=number)
        synset = _SYNSET.fullmatch(parts[0].strip())
        # Other types are definitions and examples, with the language before a colon.
        if synset is not None and parts[1].rpartition(":")[2] == "lemma":
            yield f"n{synset[1]}", parts[2]


def _csv(lines: list[str], file: Path) -> ClassNames:
    rows = csv.DictReader(lines)
    missing = next((c for c in (_WNID, _NAME) if c not in (rows.fieldnames or ())), None)
    if missing is not None:
        problem = (
            f"the first line must name the columns {_WNID} and {_NAME}; '{missing}' is missing."
        )
        raise InputError(problem, file=file, line=1)
    found = list(rows)
    language = next((row[_LANGUAGE] for row in found if row.get(_LANGUAGE)), None) or file.stem
    return ClassNames(language, _gathered((row[_WNID] or "", row[_NAME] or "") for row in found))


def _gathered(rows: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    names: dict[str, list[str]] = {}
    for wnid, name in rows:
        cleaned = " ".join(name.replace("_", " ").split())
        if cleaned and wnid.strip():
            names.setdefault(wnid.strip(), []).append(cleaned)
    return {wnid: tuple(dict.fromkeys(each)) for wnid, each in names.items()}
