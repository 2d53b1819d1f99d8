"""Sentences on what a review plan reveals about the sources of labels."""

from collections.abc import Iterator

from labeler.core.review.decoy_mix import MAX_DECOYS
from labeler.core.review.leak import (
    MANY_LABELS,
    Advantage,
    Cue,
    LabelSource,
    LeakStatement,
    Posterior,
)
from labeler.core.text import count_noun

_CUES = {
    Cue.NEW_ON_KNOWN: "a new label on a known image",
    Cue.KNOWN_LABEL: "a label already seen on its image",
    Cue.NEW_CLASS: "a label of a class not met before",
    Cue.EXTENSION: "a label that the extension adds to an image",
    Cue.FREQUENT_CLASS: "a label of a class met more often than most",
}
assert set(_CUES) == set(Cue)
_SOURCES = {
    LabelSource.TARGET: "the target",
    LabelSource.MODEL: "a model",
    LabelSource.HUMAN: "a human",
}
assert set(_SOURCES) == set(LabelSource)


def leak_lines(statement: LeakStatement, *, limit: float | None, total: int) -> Iterator[str]:
    """Return what the plan reveals, what hiding it costs, and why it reveals more than asked."""
    if statement.decoys:
        yield (
            f"{count_noun(statement.decoys, 'decoy')} that nobody proposed cost "
            f"{statement.decoy_judgements:,} of the {total:,} judgements."
        )
    yield from _most_revealing(statement)
    if limit is not None:
        yield from _reasons(statement, limit)
    if statement.advantages:
        yield _together(max(statement.advantages, key=lambda advantage: advantage.value))


def posterior_text(posterior: Posterior) -> str:
    """Describe a posterior, for example "a new label on a known image comes from …"."""
    return (
        f"{_cue_text(posterior.cue)} comes from {_SOURCES[posterior.source]} with probability "
        f"{posterior.probability:.2f} (base rate {posterior.base_rate:.2f})"
    )


def _most_revealing(statement: LeakStatement) -> Iterator[str]:
    """Return a sentence for each reviewer and cue, about the source it reveals most."""
    worst: dict[tuple[str, Cue | int], Posterior] = {}
    for posterior in statement.posteriors:
        key = posterior.reviewer, posterior.cue
        if key not in worst or abs(posterior.excess) > abs(worst[key].excess):
            worst[key] = posterior
    if not worst:
        yield "The plan is too small to say what it reveals about the sources of labels."
    for (reviewer, _cue), posterior in worst.items():
        yield f"For {reviewer}, {posterior_text(posterior)}."


def _reasons(statement: LeakStatement, limit: float) -> Iterator[str]:
    if not statement.posteriors:
        return
    revealing, excluding = statement.revealing(limit), statement.excluding(limit)
    if not revealing and not excluding:
        yield f"Every such probability is within {limit:g} of its base rate."
    if revealing:
        yield (
            f"{count_noun(len(revealing), 'probability is', 'probabilities are')} more than "
            f"{limit:g} above the base rate: up to {MAX_DECOYS} decoys per image, as far as there "
            "are plausible ones, can't hide more. More reviewers would, because then fewer of them "
            "meet an image twice."
        )
    if excluding:
        yield (
            f"{count_noun(len(excluding), 'probability is', 'probabilities are')} more than "
            f"{limit:g} below the base rate. Decoys can't change that: they have no source, so "
            "they lower a probability and never raise it."
        )


def _together(strongest: Advantage) -> str:
    return (
        f"All cues together separate the labels of {_SOURCES[strongest.source]} from the others "
        f"with an advantage of {strongest.value:.2f} for {strongest.reviewer} (0: not at all, "
        "1: completely)."
    )


def _cue_text(cue: Cue | int) -> str:
    if isinstance(cue, Cue):
        return _CUES[cue]
    if cue == 1:
        return "the only label of an image"
    return f"a label on an image with {cue}{' or more' if cue == MANY_LABELS else ''} labels"
