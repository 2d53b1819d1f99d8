"""Names of classes in another language, which come behind those that a taxonomy has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Names by wnid, in their order, with the language they are in."""

    language: str
    names: Mapping[str, tuple[str, ...]]


def merge_by_language(*given: ClassNames) -> tuple[ClassNames, ...]:
    """Each language once: what is given twice in one is put together."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in given:
        names = found.setdefault(one.language, {})
        for wnid, more in one.names.items():
            names[wnid] = append_names(names.get(wnid, ()), more)
    return tuple(ClassNames(language, names) for language, names in found.items())


def append_names(names: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    """The names with those behind them that aren't there in any case of the letters."""
    known = {name.casefold(): name for name in reversed(names)}
    for name in more:
        if name.casefold() not in known:
            known[name.casefold()] = name
            names = (*names, name)
    return names
