"""Decks: sets of classes to train on, with their size, the labeler's score and what is due."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from labeler.core.training.progress import TrainingScore
from labeler.core.training.request import (
    DEFAULT_LENGTH,
    MAX_LENGTH,
    TrainingRequest,
    TrainingSource,
)
from labeler.core.training.suggestions import SuggestionReason, TrainingSuggestion

MAX_SUGGESTED = 4
# More is a course rather than a deck.
_MOST_HARD = 24
# Fewer answers, or fewer of them wrong, may be chance.
_FEWEST_GROUP_ANSWERS, _LEAST_WRONG = 3, 0.3
_MOST_LOOK_ALIKES = 6


class DeckKind(StrEnum):
    """What the classes of a deck have in common, in the order of the page."""

    MISTAKES = "mistakes"
    DUE = "due"
    HARDEST = "hardest"
    NEVER_MET = "never_met"
    LOOK_ALIKES = "look_alikes"
    PAGE = "page"
    FAMILY = "family"


@dataclass(frozen=True, slots=True)
class DeckSubject:
    """A named set of classes: a page of the guide, or a family."""

    title: str
    wnids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDeck:
    """A deck with its classes in training, its images, and the labeler's own numbers.

    `suggestion` is set if the deck was suggested because of mistakes.
    """

    kind: DeckKind
    title: str
    wnids: tuple[str, ...]
    images: int
    score: TrainingScore
    due: int
    request: TrainingRequest
    suggestion: TrainingSuggestion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckInput:
    """What decks are made from; scores are by wnid, `group` those of all labelers together.

    `look_alikes` returns a class and those that look most like it.
    """

    offered: Mapping[str, int]
    own: Mapping[str, TrainingScore]
    group: Mapping[str, TrainingScore]
    due: Sequence[str]
    mistakes: Sequence[str]
    pages: Sequence[DeckSubject]
    families: Sequence[DeckSubject]
    names: Mapping[str, str]
    look_alikes: Callable[[str], Sequence[str]]


def training_decks(known: DeckInput) -> tuple[TrainingDeck, ...]:
    """Return every deck with classes in training, in the order of the page.

    Pages, families and look-alikes need two: a single class has nothing to compare it with.
    """
    return tuple(deck for deck in _all(known) if len(deck.wnids) >= _fewest_classes(deck.kind))


def _fewest_classes(kind: DeckKind) -> int:
    return 2 if kind in (DeckKind.LOOK_ALIKES, DeckKind.PAGE, DeckKind.FAMILY) else 1


def suggested_decks(
    decks: Sequence[TrainingDeck],
    suggestions: Iterable[TrainingSuggestion],
    known: DeckInput,
    most: int = MAX_SUGGESTED,
) -> tuple[TrainingDeck, ...]:
    """Return the decks to train next: due or missed classes, the families that explain mistakes."""
    by_kind = {deck.kind: deck for deck in reversed(decks)}
    explained = [
        replace(
            _deck(DeckKind.FAMILY, each.title, each.wnids, each.request, known), suggestion=each
        )
        for each in suggestions
        if each.why in (SuggestionReason.MISSED, SuggestionReason.CONFUSED)
    ]
    first = [by_kind[kind] for kind in (DeckKind.DUE, DeckKind.MISTAKES) if kind in by_kind]
    later = [by_kind[kind] for kind in (DeckKind.NEVER_MET, DeckKind.HARDEST) if kind in by_kind]
    pages = [deck for deck in decks if deck.kind in (DeckKind.PAGE, DeckKind.FAMILY)]
    # Of decks with the same classes, the one that explains mistakes says most.
    by_classes = {frozenset(deck.wnids): deck for deck in explained}
    chosen: dict[frozenset[str], TrainingDeck] = {}
    for deck in (*first[:1], *explained[:2], *later, *first[1:], *pages):
        classes = frozenset(deck.wnids)
        chosen.setdefault(classes, by_classes.get(classes, deck))
    return tuple(chosen.values())[:most]


def hardest_classes(group: Mapping[str, TrainingScore]) -> tuple[str, ...]:
    """Return the classes that the group misses most, the worst first."""
    hard = {
        wnid: score.missed**2 / score.answered
        for wnid, score in group.items()
        if score.answered >= _FEWEST_GROUP_ANSWERS and 1 - (score.share or 0) >= _LEAST_WRONG
    }
    return tuple(sorted(hard, key=lambda wnid: (-hard[wnid], wnid))[:_MOST_HARD])


def _all(known: DeckInput) -> Iterator[TrainingDeck]:
    yield _of_source(DeckKind.MISTAKES, "My mistakes", known.mistakes, known)
    yield _of_source(DeckKind.DUE, "Due today", known.due, known)
    hardest = hardest_classes(known.group)
    yield _of_classes(DeckKind.HARDEST, "Hardest for the group", hardest, known)
    unmet = [wnid for wnid in known.offered if wnid not in known.own]
    yield _of_classes(DeckKind.NEVER_MET, "Never met", unmet, known)
    for wnid in _most_missed(known):
        request = TrainingRequest(TrainingSource.LOOK_ALIKES, (wnid,))
        title = f"Look-alikes of {known.names[wnid]}"
        yield _deck(DeckKind.LOOK_ALIKES, title, known.look_alikes(wnid), request, known)
    for kind, subjects in ((DeckKind.PAGE, known.pages), (DeckKind.FAMILY, known.families)):
        for subject in subjects:
            yield _of_classes(kind, subject.title, subject.wnids, known)


def _most_missed(known: DeckInput) -> list[str]:
    missed = [wnid for wnid, score in known.own.items() if score.missed and wnid in known.offered]
    return sorted(missed, key=lambda wnid: (-known.own[wnid].missed, wnid))[:_MOST_LOOK_ALIKES]


def _of_source(kind: DeckKind, title: str, wnids: Sequence[str], known: DeckInput) -> TrainingDeck:
    """Return a deck whose classes are determined when its training starts."""
    made = _deck(kind, title, wnids, TrainingRequest(TrainingSource(kind.value)), known)
    length = min(max(len(made.wnids), DEFAULT_LENGTH), MAX_LENGTH)
    return replace(made, request=replace(made.request, length=length))


def _of_classes(kind: DeckKind, title: str, wnids: Sequence[str], known: DeckInput) -> TrainingDeck:
    # All of them, also those without images, so that the training can be named by its classes.
    request = TrainingRequest(TrainingSource.SUBTREES, tuple(wnids))
    return _deck(kind, title, wnids, request, known)


def _deck(
    kind: DeckKind,
    title: str,
    wnids: Sequence[str],
    request: TrainingRequest,
    known: DeckInput,
) -> TrainingDeck:
    offered = tuple(wnid for wnid in dict.fromkeys(wnids) if wnid in known.offered)
    scores = [known.own[wnid] for wnid in offered if wnid in known.own]
    due = set(known.due)
    return TrainingDeck(
        kind=kind,
        title=title,
        wnids=offered,
        images=sum(known.offered[wnid] for wnid in offered),
        score=TrainingScore(sum(s.answered for s in scores), sum(s.right for s in scores)),
        due=sum(wnid in due for wnid in offered),
        request=request,
    )
