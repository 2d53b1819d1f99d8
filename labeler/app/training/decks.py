"""The decks of a labeler, read from the study, the guide and the taxonomy, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labeler.app.training.progress_facts import progress_facts
from labeler.app.training.progress_text import capitalise_first, format_percent
from labeler.app.training.selection import TrainingMaterial, look_alike_classes
from labeler.app.training.start import suggested_training
from labeler.app.training.start_view import DeckView
from labeler.app.training.viewer import TrainingViewer
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.families import class_families
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.study.entities import Role
from labeler.core.text import count_noun
from labeler.core.training.decks import (
    DeckInput,
    DeckKind,
    DeckSubject,
    TrainingDeck,
    suggested_decks,
    training_decks,
)
from labeler.core.training.progress import TrainingScore
from labeler.guide.pages import Guide
from labeler.store.study_store import StudyStore

SECTION_TITLES = {
    DeckKind.MISTAKES: "For you",
    DeckKind.DUE: "For you",
    DeckKind.HARDEST: "For you",
    DeckKind.NEVER_MET: "For you",
    DeckKind.LOOK_ALIKES: "Look-alikes of the classes you missed",
    DeckKind.PAGE: "Pages of the guide",
    DeckKind.FAMILY: "Families",
}
assert set(SECTION_TITLES) == set(DeckKind), "every kind of deck has a section"
PICTURES = 6
SUGGESTED_ON_START_PAGE = 3
_REASONS = {
    DeckKind.MISTAKES: "what you missed lately, and what you took it for",
    DeckKind.DUE: "before you forget them",
    DeckKind.HARDEST: "missed most by all labelers",
    DeckKind.NEVER_MET: "not seen in training so far",
}


@dataclass(frozen=True, slots=True)
class DeckSection:
    """Decks of a kind, below a title."""

    title: str
    decks: tuple[DeckView, ...]


@dataclass(frozen=True, slots=True)
class TrainingDecks:
    """The few decks that are suggested, the best first, and in sections all others.

    The sections are for the start page, which shows fewer of those suggested than home.
    """

    suggested: tuple[DeckView, ...]
    sections: tuple[DeckSection, ...]


def read_training_decks(store: StudyStore, code: str, guide: Guide) -> TrainingDecks:
    """Return the decks of a labeler; reads the training pool and all of their answers."""
    viewer = TrainingViewer(code, Role.LABELER)
    progress = progress_facts(store, viewer, code)
    with store.read() as study:
        group = study.training_record.group_counts()
    taxonomy = store.taxonomy
    material = TrainingMaterial(
        taxonomy=taxonomy,
        offered=progress.offered,
        answers=progress.answers,
        families=(),
        guide_pairs=frozenset(guide.pairs()),
        now=store.clock.utc(),
    )
    known = DeckInput(
        offered=progress.offered,
        own={
            taxonomy.class_wnids[scores.index]: scores.score
            for scores in progress.classes
            if scores.score.answered
        },
        group={wnid: TrainingScore(*counts) for wnid, counts in group.items()},
        due=material.due,
        mistakes=material.mistakes,
        pages=_pages(guide, taxonomy),
        families=_families(taxonomy),
        names=taxonomy.display_names,
        look_alikes=lambda wnid: tuple(look_alike_classes((wnid,), material)),
    )
    decks = training_decks(known)
    suggested = suggested_decks(decks, progress.suggestions, known)
    others = [deck for deck in decks if deck not in suggested[:SUGGESTED_ON_START_PAGE]]
    return TrainingDecks(
        suggested=tuple(map(deck_view, suggested)), sections=tuple(_sections(others))
    )


def deck_view(deck: TrainingDeck) -> DeckView:
    return DeckView(
        title=capitalise_first(deck.title),
        caption=" · ".join(_facts(deck)),
        reason=_reason(deck),
        pictures=deck.wnids[:PICTURES],
        request=deck.request,
    )


def _reason(deck: TrainingDeck) -> str:
    """Return why the deck is suggested; also for the decks that every labeler has."""
    if deck.suggestion is not None:
        return suggested_training(deck.suggestion).reason
    return _REASONS.get(deck.kind, "")


def _facts(deck: TrainingDeck) -> list[str]:
    size = count_noun(len(deck.wnids), "class", "classes")
    share = deck.score.share
    own = f"{format_percent(share)} right" if share is not None else "new"
    due = f"{deck.due:,} due" if deck.due and deck.kind is not DeckKind.DUE else ""
    return [fact for fact in (size, own, due) if fact]


def _sections(decks: Sequence[TrainingDeck]) -> list[DeckSection]:
    by_title: dict[str, list[DeckView]] = {}
    for deck in decks:
        by_title.setdefault(SECTION_TITLES[deck.kind], []).append(deck_view(deck))
    return [DeckSection(title, tuple(views)) for title, views in by_title.items()]


def _pages(guide: Guide, taxonomy: Taxonomy) -> tuple[DeckSubject, ...]:
    pages = sorted(guide.pages, key=lambda page: page.title.casefold())
    return tuple(
        DeckSubject(page.title, tuple(w for w in page.wnids if w in taxonomy.display_names))
        for page in pages
    )


@lru_cache(maxsize=2)
def _families(taxonomy: Taxonomy) -> tuple[DeckSubject, ...]:
    groups = class_families(canonical_branches(default_groups(taxonomy)))
    return tuple(
        DeckSubject(family.name, family.wnids) for group in groups for family in group.families
    )
