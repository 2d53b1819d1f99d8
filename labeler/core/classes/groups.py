"""Groups of classes defined by rules: dogs, organisms, objects, superclasses, study groups."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from labeler.core.classes.group_file import (
    ALL,
    IMAGE_SUBSETS,
    GroupRule,
    GroupRules,
    read_group_file,
)
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.locations import RESOURCES

DEFAULT_FILE = RESOURCES / "groups.toml"
# In a study's folder, for its map and its taxonomy browser.
GROUP_FILE = "groups.toml"

_SUPERCLASS, _SUBTREE = "superclass:", "subtree:"
_WNID = re.compile(r"n\d{8}")


@dataclass(frozen=True, slots=True)
class ClassGroup:
    """A named set of classes, by wnid in class order; `key` identifies it in reports.

    `nodes` are the nodes of the taxonomy that its rule includes.
    """

    key: str
    title: str
    wnids: tuple[str, ...]
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ClassGroups:
    """The groups of one taxonomy: `groups` and `superclasses` by name, in file order."""

    taxonomy: Taxonomy
    groups: Mapping[str, ClassGroup]
    superclasses: Mapping[str, ClassGroup]

    def resolve(self, key: str) -> tuple[str, ...]:
        """Return the classes of a key such as `dogs`, `superclass:Birds` or `subtree:n02084071`."""
        if key.startswith(_SUBTREE):
            return self._subtree(key.removeprefix(_SUBTREE))
        if key in self.by_key:
            return self.by_key[key].wnids
        if key in IMAGE_SUBSETS:
            raise RefusedError(
                f"'{key}' is a subset of images and can't be used as a group of classes."
            )
        raise RefusedError(f"There is no group '{key}'. {self._suggestion(key)}")

    @cached_property
    def by_key(self) -> Mapping[str, ClassGroup]:
        """Every group and superclass by its key, in report order."""
        every = (*self.groups.values(), *self.superclasses.values())
        return MappingProxyType({group.key: group for group in every})

    def _subtree(self, wnid: str) -> tuple[str, ...]:
        if wnid not in self.taxonomy:
            raise RefusedError(
                f"The taxonomy has no node '{wnid}' for the group '{_SUBTREE}{wnid}'. "
                "Give the wnid of a class or of a node above one, like subtree:n02084071."
            )
        return self.taxonomy.classes_under(wnid)

    def _suggestion(self, key: str) -> str:
        if _WNID.fullmatch(key) and key in self.taxonomy:
            return f"Did you mean '{_SUBTREE}{key}'?"
        every = tuple(self.by_key.values())
        # Titles match too, but a key takes precedence over a title, a group over a superclass.
        folded = {group.title.casefold(): group.key for group in reversed(every)}
        folded |= {group.key.casefold(): group.key for group in every}
        close = difflib.get_close_matches(key.casefold(), folded, n=3)
        if close:
            named = " or ".join(f"'{name}'" for name in dict.fromkeys(folded[c] for c in close))
            return f"Did you mean {named}?"
        return f"Groups are {', '.join(self.by_key)}, and {_SUBTREE} with a wnid."


def default_groups(taxonomy: Taxonomy) -> ClassGroups:
    """Return the shipped groups; those that name nothing in the taxonomy are empty."""
    shipped = read_group_file(DEFAULT_FILE)
    return _groups(taxonomy, shipped.groups, shipped)


def load_groups(file: Path, taxonomy: Taxonomy) -> ClassGroups:
    """Return the shipped groups plus those of a study's file, which may replace superclasses."""
    shipped = read_group_file(DEFAULT_FILE)
    own = read_group_file(file, known={rule.name for rule in shipped.groups})
    _check_wnids(own, taxonomy)
    superclasses = own if own.superclasses else shipped
    groups = _groups(taxonomy, shipped.groups + own.groups, superclasses)
    _check_sizes(own, groups)
    return groups


def _groups(
    taxonomy: Taxonomy, rules: Iterable[GroupRule], superclass_rules: GroupRules
) -> ClassGroups:
    members = _Members(taxonomy, {rule.name: rule for rule in rules})
    groups = {ALL: ClassGroup(key=ALL, title="All", wnids=taxonomy.class_wnids)}
    for rule in members.rules.values():
        groups[rule.name] = members.group(rule.name, rule, members.of(rule))
    return ClassGroups(
        taxonomy=taxonomy,
        groups=MappingProxyType(groups),
        superclasses=MappingProxyType(_superclasses(superclass_rules, members)),
    )


def _superclasses(rules: GroupRules, members: "_Members") -> dict[str, ClassGroup]:
    taken: set[str] = set()
    superclasses: dict[str, ClassGroup] = {}
    for rule in rules.superclasses:
        wnids = members.of(rule) - taken
        superclasses[rule.name] = members.group(f"{_SUPERCLASS}{rule.name}", rule, wnids)
        if rules.partition:
            taken |= wnids
    return superclasses


@dataclass(frozen=True, slots=True)
class _Members:
    """Determines the classes of a rule; `rules` are the groups that it may refer to."""

    taxonomy: Taxonomy
    rules: Mapping[str, GroupRule]

    def of(self, rule: GroupRule) -> frozenset[str]:
        included = self._under(rule.include) | self._named(rule.plus)
        return included - self._under(rule.exclude) - self._named(rule.minus)

    def group(self, key: str, rule: GroupRule, wnids: frozenset[str]) -> ClassGroup:
        in_order = tuple(sorted(wnids, key=self.taxonomy.index_of))
        return ClassGroup(key, rule.title, in_order, tuple(self._nodes(rule)))

    def _nodes(self, rule: GroupRule) -> Iterator[str]:
        yield from (wnid for wnid in rule.include if wnid in self.taxonomy)
        for name in rule.plus:
            if name != ALL:
                yield from self._nodes(self.rules[name])

    def _under(self, wnids: Iterable[str]) -> frozenset[str]:
        known = (wnid for wnid in wnids if wnid in self.taxonomy)
        return frozenset(c for wnid in known for c in self.taxonomy.classes_under(wnid))

    def _named(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._group(name) for name in names))

    def _group(self, name: str) -> frozenset[str]:
        return frozenset(self.taxonomy.class_wnids) if name == ALL else self.of(self.rules[name])


def _check_wnids(rules: GroupRules, taxonomy: Taxonomy) -> None:
    for rule in rules.all_rules:
        for wnid in rule.wnids:
            if not _WNID.fullmatch(wnid):
                problem = f"'{wnid}' in '{rule.name}' is not a wnid; a wnid looks like n02084071."
                raise rules.source.error(problem, at=wnid)
            if wnid not in taxonomy:
                problem = f"{wnid} in '{rule.name}' is not in the taxonomy."
                raise rules.source.error(problem, at=wnid)


def _check_sizes(rules: GroupRules, groups: ClassGroups) -> None:
    """Refuse groups without classes and partitions that leave a class out."""
    own = [groups.groups[rule.name] for rule in rules.groups]
    own += [groups.superclasses[rule.name] for rule in rules.superclasses]
    empty = next((group for group in own if not group.wnids), None)
    if empty is not None:
        name = empty.key.removeprefix(_SUPERCLASS)
        raise rules.source.error(f"'{name}' has no classes.", at=name)
    covered = {wnid for group in groups.superclasses.values() for wnid in group.wnids}
    missing = [wnid for wnid in groups.taxonomy.class_wnids if wnid not in covered]
    if rules.partition and missing:
        raise rules.source.error(
            f"`partition` is true, but {missing[0]} is in no superclass (missing classes: "
            f'{len(missing)}); give the last superclass plus = ["all"].'
        )
