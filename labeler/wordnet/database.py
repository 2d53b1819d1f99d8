"""Open a WordNet database folder with NLTK, in any place and without optional files."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.core.errors import RefusedError

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

_NO_SYNSET = "No WordNet synset found"

# NLTK opens all of these files, although only nouns are needed.
_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_REQUIRED = tuple(f"{kind}.{part}" for kind in ("data", "index") for part in _PARTS_OF_SPEECH)
_OPTIONAL = tuple(f"{part}.exc" for part in _PARTS_OF_SPEECH)

# Packages of WordNet's database lack `lexnames`; its 45 rows are part of the format.
_LEXICOGRAPHER_FILES = (
    *("adj.all", "adj.pert", "adv.all", "noun.Tops", "noun.act", "noun.animal"),
    *("noun.artifact", "noun.attribute", "noun.body", "noun.cognition"),
    *("noun.communication", "noun.event", "noun.feeling", "noun.food", "noun.group"),
    *("noun.location", "noun.motive", "noun.object", "noun.person", "noun.phenomenon"),
    *("noun.plant", "noun.possession", "noun.process", "noun.quantity", "noun.relation"),
    *("noun.shape", "noun.state", "noun.substance", "noun.time", "verb.body"),
    *("verb.change", "verb.cognition", "verb.communication", "verb.competition"),
    *("verb.consumption", "verb.contact", "verb.creation", "verb.emotion", "verb.motion"),
    *("verb.perception", "verb.possession", "verb.social", "verb.stative", "verb.weather"),
    "adj.ppl",
)
_PART_NUMBER = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


@contextmanager
def open_wordnet(folder: Path) -> Iterator["WordNetCorpusReader"]:
    """Open the database in `folder` through a copy with the layout that NLTK needs."""
    _require_database(folder)
    with tempfile.TemporaryDirectory(prefix="labeler-wordnet-") as temporary:
        corpus = _copy_database(folder, Path(temporary))
        with _nltk_search_path(Path(temporary)), _refuse_damaged(folder):
            reader = _english_reader(corpus)
            try:
                yield reader
            finally:
                _close(reader)


@contextmanager
def _nltk_search_path(root: Path) -> Iterator[None]:
    """Add `root` to NLTK's search path temporarily; NLTK refuses a corpus outside it."""
    # Here and below: NLTK takes a second to import, and only building a taxonomy needs it.
    import nltk.data

    nltk.data.path.insert(0, str(root))
    try:
        yield
    finally:
        nltk.data.path.remove(str(root))


@contextmanager
def _refuse_damaged(folder: Path) -> Iterator[None]:
    """Convert NLTK's errors about a damaged file to one that names the folder."""
    from nltk.corpus.reader.wordnet import WordNetError

    with warnings.catch_warnings():
        # NLTK only warns about a pointer to a missing synset, and fails later.
        warnings.filterwarnings("error", message=_NO_SYNSET)
        try:
            yield
        except (WordNetError, StopIteration, AssertionError, UnicodeError, UserWarning) as error:
            reason = f" ({error})" if str(error) else ""
            raise RefusedError(
                f"The WordNet database in '{folder}' is damaged{reason}. Install it again."
            ) from error


def noun_at(reader: "WordNetCorpusReader", offset: int) -> "Synset | None":
    """Return the noun at `offset` of the open database, or None."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_NO_SYNSET)
        return reader.synset_from_pos_and_offset("n", offset)


def _english_reader(corpus: Path) -> "WordNetCorpusReader":
    """NLTK's reader without the mapping to other languages, which needs more files."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class EnglishReader(WordNetCorpusReader):  # type: ignore[misc]
        def __init__(self) -> None:
            try:
                super().__init__(str(corpus), omw_reader=None)
            except BaseException:
                _close(self)
                raise

        def map_wn(self, *_: object) -> None:
            return None

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions", module="nltk")
        return EnglishReader()


def _require_database(folder: Path) -> None:
    missing = [name for name in _REQUIRED if not (folder / name).is_file()]
    if missing:
        raise RefusedError(
            f"'{folder}' isn't a WordNet database: {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing. Give the folder that contains "
            "data.noun and index.noun (on Debian: /usr/share/wordnet of wordnet-base)."
        )


def _copy_database(folder: Path, root: Path) -> Path:
    """Copy the database to `root/corpora/wordnet` and add `lexnames`."""
    corpus = root / "corpora" / "wordnet"
    corpus.mkdir(parents=True)
    for name in _REQUIRED:
        shutil.copyfile(folder / name, corpus / name)
    for name in _OPTIONAL:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, corpus / name)
        else:
            (corpus / name).touch()
    (corpus / "lexnames").write_text(_lexnames(), encoding="ascii")
    return corpus


def _lexnames() -> str:
    return "".join(
        f"{number:02d}\t{name}\t{_PART_NUMBER[name.partition('.')[0]]}\n"
        for number, name in enumerate(_LEXICOGRAPHER_FILES)
    )


def _close(reader: "WordNetCorpusReader") -> None:
    """Close the data files that NLTK keeps open, so that the copy can be removed."""
    for stream in reader._data_file_map.values():
        stream.close()
    reader._data_file_map.clear()
