"""Suggest what to train next, with the reason for each suggestion."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice, zip_longest

from labeler.core.training.families import ProgressFamily
from labeler.core.training.progress import ClassSetScores, ConfusedPair, TrainingScore
from labeler.core.training.request import MAX_LENGTH, TrainingRequest, TrainingSource

MAX_SUGGESTIONS = 3
# Fewer may be chance and aren't worth a suggestion.
_FEWEST_MISSED, _FEWEST_CONFUSED = 2, 2
_LEAST_MISSED_SHARE = 0.25


class SuggestionReason(StrEnum):
    """Why a training is suggested, the most urgent first."""

    DUE = "due"
    MISSED = "missed"
    CONFUSED = "confused"
    NEVER_MET = "never_met"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSuggestion:
    """A suggested training, its classes by wnid, and its reason as `count` of `of`.

    Due: due classes of those seen. Missed: wrong answers of those of the last week. Confused:
    mistakes of the images of both classes. Never met: unseen classes of the family, or of all.
    """

    why: SuggestionReason
    title: str
    request: TrainingRequest
    wnids: tuple[str, ...]
    count: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionInput:
    """The data that suggestions are based on; `names` and `wnids` are by class index.

    `explaining` are branches of any depth, of which the most specific with mistakes is named;
    `families` are those of the progress screen.
    """

    explaining: Sequence[tuple[ProgressFamily, ClassSetScores]]
    families: Sequence[tuple[ProgressFamily, ClassSetScores]]
    pairs: Sequence[ConfusedPair]
    offered: frozenset[str]
    met: frozenset[str]
    due: Sequence[str]
    wnids: Sequence[str]
    names: Sequence[str]


def training_suggestions(
    known: SuggestionInput, most: int = MAX_SUGGESTIONS
) -> tuple[TrainingSuggestion, ...]:
    """Return the best of each reason first, then the second best; no two for the same classes."""
    by_reason = (_due(known), _missed(known), _confused(known), _never_met(known))
    ranked = (each for each in chain(*zip_longest(*by_reason)) if each is not None)
    return tuple(islice(_without_repeats(ranked), most))


def _without_repeats(ranked: Iterator[TrainingSuggestion]) -> Iterator[TrainingSuggestion]:
    taken: set[frozenset[str]] = set()
    for each in ranked:
        classes = frozenset(each.wnids)
        if classes not in taken:
            taken.add(classes)
            yield each


def _due(known: SuggestionInput) -> Iterator[TrainingSuggestion]:
    due = tuple(wnid for wnid in known.due if wnid in known.offered)
    if due:
        yield TrainingSuggestion(
            why=SuggestionReason.DUE,
            title="Repetition",
            request=TrainingRequest(TrainingSource.DUE, length=min(len(due), MAX_LENGTH)),
            wnids=due,
            count=len(due),
            of=len(known.met),
        )


def _missed(known: SuggestionInput) -> Iterator[TrainingSuggestion]:
    """Yield families with mistakes in the last week, by their number and share.

    Of branches inside each other only the best is named: of two with the same mistakes, that is
    the smaller one.
    """
    named: set[str] = set()
    for family, lately in sorted(_often_missed(known), key=_rank):
        wnids = _offered(known, family)
        if named.isdisjoint(wnids):
            named.update(wnids)
            yield _of_family(SuggestionReason.MISSED, family, wnids, lately.missed, lately.answered)


def _often_missed(known: SuggestionInput) -> Iterator[tuple[ProgressFamily, TrainingScore]]:
    own = (each for each in known.families if each[0].saved)
    for family, scores in chain(known.explaining, own):
        missed, answered = scores.lately.missed, max(scores.lately.answered, 1)
        if missed >= _FEWEST_MISSED and missed / answered >= _LEAST_MISSED_SHARE:
            yield family, scores.lately


def _rank(missed: tuple[ProgressFamily, TrainingScore]) -> tuple[float, int]:
    """Order by mistakes and their share, then from small to large."""
    family, lately = missed
    return -(lately.missed**2) / max(lately.answered, 1), len(family.wnids)


def _confused(known: SuggestionInput) -> Iterator[TrainingSuggestion]:
    for pair in known.pairs:
        ends = known.wnids[pair.one], known.wnids[pair.other]
        if pair.times >= _FEWEST_CONFUSED and known.offered.issuperset(ends):
            title = f"{known.names[pair.one]} and {known.names[pair.other]}"
            yield TrainingSuggestion(
                why=SuggestionReason.CONFUSED,
                title=title,
                request=TrainingRequest(TrainingSource.SUBTREES, ends),
                wnids=ends,
                count=pair.times,
                of=pair.shown,
            )


def _never_met(known: SuggestionInput) -> Iterator[TrainingSuggestion]:
    """Yield families by their unseen classes; if none was seen, a training on everything."""
    if not known.met:
        every = tuple(wnid for wnid in known.wnids if wnid in known.offered)
        if every:
            yield TrainingSuggestion(
                why=SuggestionReason.NEVER_MET,
                title="Everything",
                request=TrainingRequest(TrainingSource.EVERYTHING),
                wnids=every,
                count=len(every),
                of=len(every),
            )
        return
    unknown = [(family, _offered(known, family)) for family, _scores in known.families]
    counted = [(f, w, len([c for c in w if c not in known.met])) for f, w in unknown if not f.broad]
    for family, wnids, count in sorted(counted, key=lambda it: (-it[2] / len(it[1]), -it[2])):
        if count:
            yield _of_family(SuggestionReason.NEVER_MET, family, wnids, count, len(wnids))


def _offered(known: SuggestionInput, family: ProgressFamily) -> tuple[str, ...]:
    return tuple(wnid for wnid in family.wnids if wnid in known.offered)


def _of_family(
    why: SuggestionReason, family: ProgressFamily, wnids: tuple[str, ...], count: int, of: int
) -> TrainingSuggestion:
    return TrainingSuggestion(
        why=why, title=family.title, request=family.request, wnids=wnids, count=count, of=of
    )
