"""The view of the training start page, and the names of its choices."""

from dataclasses import dataclass
from functools import lru_cache

from labeler.app.classes.node_search import NamedNode
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.families import class_families
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.text import join_some
from labeler.core.training.request import TrainingOrder, TrainingRequest, TrainingSource

_WORDS = {
    TrainingSource.EVERYTHING: "everything",
    TrainingSource.MISTAKES: "my mistakes",
    TrainingSource.DUE: "due classes",
}


def training_title(request: TrainingRequest, taxonomy: Taxonomy) -> str:
    """`marmot, beaver`, `look-alikes of marmot`, or the name of a family."""
    if request.source in _WORDS:
        return _WORDS[request.source]
    if request.source is TrainingSource.FAMILY:
        return ", ".join(request.subject)
    family = _family_names(taxonomy).get(frozenset(request.subject))
    if family is not None and request.source is TrainingSource.SUBTREES:
        return family
    names = join_some(_name(wnid, taxonomy) for wnid in request.subject).replace(";", ",")
    return f"look-alikes of {names}" if request.source is TrainingSource.LOOK_ALIKES else names


@lru_cache(maxsize=2)
def _family_names(taxonomy: Taxonomy) -> dict[frozenset[str], str]:
    """Return the names of branches and families by their classes, which requests are made of."""
    branches = canonical_branches(default_groups(taxonomy))
    named = {
        frozenset(branch.classes): branches.labels[branch.key]
        for branch in branches.walk()
        if len(branch.classes) > 1
    }
    for group in class_families(branches):
        named |= {frozenset(family.wnids): family.name for family in group.families}
    return named


def _name(wnid: str, taxonomy: Taxonomy) -> str:
    """Return the display name of a class, or the name of a branch."""
    named = taxonomy.display_names.get(wnid)
    if named is None and wnid in taxonomy.nodes:
        named = taxonomy[wnid].name
    # A study may have been merged from one with another taxonomy.
    return named or wnid


SOURCE_TITLES = {
    TrainingSource.EVERYTHING: "Everything",
    TrainingSource.SUBTREES: "Classes or branches",
    TrainingSource.FAMILY: "A family",
    TrainingSource.MISTAKES: "My mistakes",
    TrainingSource.LOOK_ALIKES: "Look-alikes of a class",
    TrainingSource.DUE: "Due today",
}
ORDER_TITLES = {
    TrainingOrder.MIXED: "Mixed",
    TrainingOrder.DUE_FIRST: "Due first",
    TrainingOrder.BY_CLASS: "Class by class",
}
assert set(SOURCE_TITLES) == set(TrainingSource), "every source has its title"
assert set(ORDER_TITLES) == set(TrainingOrder), "every order has its title"
SOURCES_WITH_NAMES = (TrainingSource.SUBTREES, TrainingSource.LOOK_ALIKES)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckView:
    """A deck on the screen: its title, its numbers, the reason to train it, and its pictures."""

    title: str
    caption: str
    reason: str
    pictures: tuple[str, ...]
    request: TrainingRequest


@dataclass(frozen=True, slots=True)
class TrainingSourceView:
    """Something to train on, a description, and whether it is available."""

    source: TrainingSource
    title: str
    caption: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class SuggestedTraining:
    """A suggested training, with its reason and its request."""

    title: str
    reason: str
    request: TrainingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStartView:
    """Everything on the page; `summary` describes the training, `problem` why it can't start."""

    going_on: str
    sources: tuple[TrainingSourceView, ...]
    source: TrainingSource
    typed: str
    candidates: tuple[NamedNode, ...]
    families: tuple[str, ...]
    family: str
    length: str
    order: TrainingOrder
    seed: str
    summary: str
    problem: str

    @property
    def asks_for_names(self) -> bool:
        return self.source in SOURCES_WITH_NAMES

    @property
    def can_begin(self) -> bool:
        return not self.problem
