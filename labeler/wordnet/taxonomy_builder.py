"""Build a taxonomy: the classes and everything above them in WordNet."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode
from labeler.core.errors import InputError, RefusedError
from labeler.core.input_files import require_regular_file
from labeler.wordnet.database import noun_at, open_wordnet

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

_WNID = re.compile(r"n\d{8}")
_NAMED_AT_MOST = 10


def build_taxonomy(wordnet: Path, wnids: Sequence[str]) -> Taxonomy:
    """Return the taxonomy of `wnids`; its classes are sorted by wnid."""
    if not wnids:
        raise RefusedError("The list of classes is empty. Give at least one wnid.")
    with open_wordnet(wordnet) as reader:
        synsets = _classes(reader, wnids)
        version = reader.get_version()
        above = _closure(synsets.values())
        children = _children(above)
        nodes = [_node(wnid, synset, children[wnid]) for wnid, synset in sorted(above.items())]
    return Taxonomy(source=f"WordNet {version}", class_wnids=tuple(sorted(synsets)), nodes=nodes)


def read_wnids(file: Path) -> list[str]:
    """Return the wnids of a text file, one per line; text after a space is ignored."""
    wnids: dict[str, int] = {}
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        wnid = re.split(r"[\s,]", line.strip(), maxsplit=1)[0]
        if not _WNID.fullmatch(wnid):
            problem = f"'{wnid}' isn't a wnid. A wnid is n and eight digits, like n02084071."
            raise InputError(problem, file=file, line=number)
        if wnid in wnids:
            problem = f"{wnid} is already on line {wnids[wnid]}. Give each class once."
            raise InputError(problem, file=file, line=number)
        wnids[wnid] = number
    if not wnids:
        raise InputError("it contains no class. Give one wnid per line, like n02084071.", file=file)
    return list(wnids)


def _lines(file: Path) -> list[str]:
    require_regular_file(file)
    try:
        # Some editors write a byte order mark; "utf-8-sig" reads files with and without it.
        return file.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError as error:
        raise RefusedError(
            f"The file '{file}' doesn't exist. Give a text file with one wnid per line."
        ) from error
    except OSError as error:
        raise RefusedError(f"The class list '{file}' can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError("this isn't UTF-8 text. Save the file as UTF-8.", file=file) from error


def _classes(reader: "WordNetCorpusReader", wnids: Sequence[str]) -> dict[str, "Synset"]:
    found = {wnid: _synset(reader, wnid) for wnid in wnids}
    unknown = [wnid for wnid, synset in found.items() if synset is None]
    if unknown:
        named = ", ".join(unknown[:_NAMED_AT_MOST])
        more = f" and {len(unknown) - _NAMED_AT_MOST} more" if len(unknown) > _NAMED_AT_MOST else ""
        raise RefusedError(
            f"WordNet {reader.get_version()} has no noun with the id {named}{more}. "
            "ImageNet uses the ids of WordNet 3.0. Correct the list or give that version."
        )
    return {wnid: synset for wnid, synset in found.items() if synset is not None}


def _synset(reader: "WordNetCorpusReader", wnid: str) -> "Synset | None":
    return noun_at(reader, int(wnid[1:])) if _WNID.fullmatch(wnid) else None


def _closure(synsets: Iterable["Synset"]) -> dict[str, "Synset"]:
    above: dict[str, Synset] = {}
    waiting = list(synsets)
    while waiting:
        synset = waiting.pop()
        wnid = _wnid(synset)
        if wnid not in above:
            above[wnid] = synset
            waiting.extend(_parents(synset))
    return above


def _parents(synset: "Synset") -> list["Synset"]:
    return [*synset.hypernyms(), *synset.instance_hypernyms()]


def _children(above: dict[str, "Synset"]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {wnid: [] for wnid in above}
    for wnid, synset in above.items():
        for parent in _parents(synset):
            children[_wnid(parent)].append(wnid)
    return children


def _node(wnid: str, synset: "Synset", children: list[str]) -> TaxonomyNode:
    return TaxonomyNode(
        wnid=wnid,
        lemmas=tuple(name.replace("_", " ") for name in synset.lemma_names()),
        gloss=synset.definition(),
        parents=tuple(sorted({_wnid(parent) for parent in _parents(synset)})),
        children=tuple(sorted(set(children))),
    )


def _wnid(synset: "Synset") -> str:
    return f"n{synset.offset():08d}"
