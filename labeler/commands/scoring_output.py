"""What scoring says in a terminal: bars while it runs, lines and JSON at the end."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import click

from labeler.app.models.scoring_request import DatasetScoringResult
from labeler.commands.terminal import TerminalProgress
from labeler.core.models.scoring import ModelFacts
from labeler.core.text import count_noun
from labeler.images.unreadable import UnreadableReason

_EXAMPLES = 3


class ScoringProgressBars:
    """A bar with images a second and remaining time; what a lead should know stands above it."""

    def __init__(self, bars: TerminalProgress, *, quiet: bool) -> None:
        self._bars = bars
        self._quiet = quiet

    def loaded(self, facts: ModelFacts) -> None:
        self.note(
            f"{facts.architecture} with the weights of {facts.weights} on {facts.device}: "
            f"{facts.classes}, batches of {facts.batch_size}."
        )

    def began(self, dataset: str, *, done: int, total: int) -> None:
        self._bars.start(f"Scoring images of {dataset}", total, done=done)

    def scored(self, *, images: int, right: int) -> None:  # noqa: ARG002
        self._bars.advance(images)

    def note(self, sentence: str) -> None:
        if not self._quiet:
            click.echo(sentence, err=True)

    def log(self, words: str) -> None:
        """What libraries say is for the window's log."""


def scored_lines(scored: Sequence[DatasetScoringResult]) -> Iterator[str]:
    """What a lead reads after a model."""
    for one in scored:
        before = one.answered - one.scored_now + len(one.not_scored)
        resumed = f", {before:,} of them before" if 0 < before < one.answered else ""
        known = " (it was there already)" if not one.scored_now else resumed
        accuracy = "" if one.top1 is None else f" Top-1: {one.top1:.1%}."
        yield (
            f"{one.model} on {one.dataset}: {count_noun(one.answered, 'image')} scored{known}."
            f"{accuracy}"
        )
        yield from _left_out(one)


def scored_json(
    scored: Sequence[DatasetScoringResult], failed: Mapping[str, str]
) -> dict[str, object]:
    return {
        "scored": [
            {
                "model": one.model,
                "dataset": one.dataset,
                "images": one.images,
                "answered": one.answered,
                "scored_now": one.scored_now,
                "top1": one.top1,
                "not_scored": [
                    {"image": left.image, "reason": left.reason} for left in one.not_scored
                ],
            }
            for one in scored
        ],
        "failed": [{"model": name, "sentence": text} for name, text in failed.items()],
    }


def _left_out(one: DatasetScoringResult) -> Iterator[str]:
    for reason, count in sorted(Counter(left.reason for left in one.not_scored).items()):
        names = [left.image for left in one.not_scored if left.reason == reason]
        examples = ", ".join(names[:_EXAMPLES]) + (", …" if count > _EXAMPLES else "")
        yield (
            f"  Not scored: {count_noun(count, 'image')} {UnreadableReason(reason).fragment}: "
            f"{examples}"
        )
