"""What the page before a training shows, and what its choices are called."""

from dataclasses import dataclass

from labeler.app.classes.node_search import NamedNode
from labeler.core.training.request import Source, TrainingOrder, TrainingRequest

TITLES = {
    Source.EVERYTHING: "Everything",
    Source.SUBTREES: "Classes or branches",
    Source.FAMILY: "A family",
    Source.MISTAKES: "My mistakes",
    Source.LOOK_ALIKES: "Look-alikes of a class",
    Source.DUE: "Due today",
}
ORDERS = {
    TrainingOrder.MIXED: "Mixed",
    TrainingOrder.DUE_FIRST: "Due first",
    TrainingOrder.BY_CLASS: "Class by class",
}
assert set(TITLES) == set(Source), "every source has its title"
assert set(ORDERS) == set(TrainingOrder), "every order has its title"
TYPED = (Source.SUBTREES, Source.LOOK_ALIKES)


@dataclass(frozen=True, slots=True)
class SourceView:
    """Something to train on, what it holds, and whether there is anything in it now."""

    source: Source
    title: str
    caption: str
    enabled: bool


@dataclass(frozen=True, slots=True)
class SuggestedTraining:
    """A training worth doing, with its reason, and what to ask for."""

    title: str
    reason: str
    request: TrainingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStartView:
    """All that the page shows; `trouble` says why nothing can be begun, `told` what would be."""

    going_on: str
    suggested: tuple[SuggestedTraining, ...]
    sources: tuple[SourceView, ...]
    source: Source
    typed: str
    candidates: tuple[NamedNode, ...]
    families: tuple[str, ...]
    family: str
    length: str
    order: TrainingOrder
    seed: str
    told: str
    trouble: str

    @property
    def asks_for_names(self) -> bool:
        return self.source in TYPED

    @property
    def can_begin(self) -> bool:
        return not self.trouble
