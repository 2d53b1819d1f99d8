"""What people call a class when WordNet doesn't."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from labeler.locations import RESOURCES

EverydayNames = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_everyday_names() -> EverydayNames:
    """The everyday names that ship with the program, by wnid."""
    text = (RESOURCES / "everyday-names.toml").read_text(encoding="utf-8")
    return MappingProxyType({wnid: tuple(names) for wnid, names in tomllib.loads(text).items()})
