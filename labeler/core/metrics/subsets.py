"""The subsets of a report, and which images belong to each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from labeler.core.classes.groups import ClassGroups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.metrics.definitions import ImageSubset
from labeler.core.metrics.image_facts import DatasetImageFacts
from labeler.core.metrics.study_answers import DatasetAnswers
from labeler.core.statistics.arrays import Flags

ALL = "all"
_SUPERCLASS, _SUBTREE, _FACTOR = "superclass:", "subtree:", "factor:"
_TITLES = {
    ImageSubset.FAST: "Fast images",
    ImageSubset.SINGLE_LABEL: "Single-label images",
    ImageSubset.MULTI_LABEL: "Multi-label images",
    ImageSubset.PROBLEMATIC: "Problematic images",
}
assert set(_TITLES) == set(ImageSubset), "every subset has a title"


@dataclass(frozen=True, slots=True, eq=False)
class Subset:
    """A set of images with its key; `classes` flags its targets if it is defined by class."""

    key: str
    title: str
    classes: Flags | None

    @property
    def is_superclass(self) -> bool:
        return self.key.startswith(_SUPERCLASS)

    @property
    def is_factor(self) -> bool:
        return self.key.startswith(_FACTOR)

    @property
    def tested(self) -> bool:
        """Whether it is defined by class and leaves some out, so that it can be resampled."""
        return self.classes is not None and self.key != ALL


def factor_names(datasets: Iterable[DatasetAnswers]) -> tuple[str, ...]:
    """Return the names of all imported factors, in alphabetical order."""
    return tuple(sorted({name for dataset in datasets for name in dataset.factors}))


def report_subsets(
    groups: ClassGroups, extra: Iterable[str] = (), *, factors: Iterable[str] = ()
) -> tuple[Subset, ...]:
    """Return groups, image subsets, superclasses, factors, and the extra subsets of the lead."""
    by_factor = [Subset(f"{_FACTOR}{name}", name.replace("_", " "), None) for name in factors]
    of_images = {*ImageSubset, *(subset.key for subset in by_factor)}
    known = {group.key: (group.title, group.wnids) for group in groups.by_key.values()}
    by_class = {
        key: Subset(key, title, _flags(groups.taxonomy, wnids))
        for key, (title, wnids) in known.items()
    }
    plain = [subset for subset in by_class.values() if not subset.is_superclass]
    superclasses = [subset for subset in by_class.values() if subset.is_superclass]
    by_image = [Subset(str(key), title, None) for key, title in _TITLES.items()]
    named = [
        Subset(key, _subtree_title(groups.taxonomy, key), _resolved(groups, key))
        for key in dict.fromkeys(extra)
        if key not in by_class and key not in of_images
    ]
    return (*plain, *by_image, *superclasses, *by_factor, *named)


def subset_membership(
    subsets: Iterable[Subset],
    dataset: DatasetAnswers,
    facts: DatasetImageFacts,
    *,
    fast_seconds: float,
) -> Flags:
    """Return which images of the dataset are in each subset, one row per subset."""
    rows = [_members(subset, dataset, facts, fast_seconds) for subset in subsets]
    return np.array(rows, np.bool_).reshape(-1, len(dataset.images))


@dataclass(frozen=True, slots=True)
class ShownSubsets:
    """The subsets that a table shows, and a sentence about those that it leaves out."""

    keys: tuple[str, ...]
    sentence: str


def shown_subsets(
    keys: Iterable[str],
    members_of: Callable[[str], Flags],
    titles: Mapping[str, str],
    *,
    besides: Iterable[str] = (),
) -> ShownSubsets:
    """Leave out subsets without images, and those with the same images as an earlier one.

    `besides` are subsets that the table needn't repeat.
    """
    earlier = {members_of(key).tobytes(): key for key in besides}
    shown, left_out = [], []
    for key in dict.fromkeys(keys):
        members = members_of(key)
        same = earlier.setdefault(members.tobytes(), key)
        if not members.any():
            left_out.append(f"{titles[key]} (no images)")
        elif same != key:
            left_out.append(f"{titles[key]} (the same images as {titles[same]})")
        else:
            shown.append(key)
    sentence = f"Left out: {'; '.join(left_out)}." if left_out else ""
    return ShownSubsets(tuple(shown), sentence)


def _members(
    subset: Subset, dataset: DatasetAnswers, facts: DatasetImageFacts, fast_seconds: float
) -> Flags:
    if subset.classes is not None:
        return facts.evaluated & subset.classes[dataset.targets]
    if subset.is_factor:
        nothing = np.zeros(len(dataset.images), np.bool_)
        return facts.evaluated & dataset.factors.get(subset.key.removeprefix(_FACTOR), nothing)
    if subset.key == ImageSubset.PROBLEMATIC:
        return facts.base & facts.problematic & (facts.correct_labels > 0)
    if subset.key == ImageSubset.FAST:
        return facts.evaluated & (facts.seconds <= fast_seconds)
    several = facts.correct_labels > 1
    return facts.evaluated & (
        several if subset.key == ImageSubset.MULTI_LABEL else facts.correct_labels == 1
    )


def _resolved(groups: ClassGroups, key: str) -> Flags:
    return _flags(groups.taxonomy, groups.resolve(key))


def _flags(taxonomy: Taxonomy, wnids: Iterable[str]) -> Flags:
    flags = np.zeros(len(taxonomy.class_wnids), np.bool_)
    flags[[taxonomy.index_of(wnid) for wnid in wnids]] = True
    return flags


def _subtree_title(taxonomy: Taxonomy, key: str) -> str:
    wnid = key.removeprefix(_SUBTREE)
    if wnid not in taxonomy:
        raise RefusedError(
            f"'{key}' is not a subset: the taxonomy has no node '{wnid}'. Use a group or a "
            "subtree, such as dogs or subtree:n02084071."
        )
    return f"Under {taxonomy[wnid].lemmas[0]}"
