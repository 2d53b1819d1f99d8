"""The preview of a build in sentences: what is missing, why, and what to do about it."""

from collections import Counter
from collections.abc import Callable, Iterator

from labeler.app.curation.building import BuildPreview
from labeler.core.curation.entities import Exclusion
from labeler.core.curation.strategies import ClassDraw, bin_words
from labeler.core.text import count_noun

EXCLUSION_WORDS = {
    Exclusion.REJECTED: "rejected",
    Exclusion.TOO_FEW_ANSWERS: "too few answers",
    Exclusion.NEAR_DUPLICATE: "near-duplicate of another image",
    Exclusion.NOT_REVIEWED: "neighbours not reviewed",
}
assert set(EXCLUSION_WORDS) == set(Exclusion), "every exclusion has words"


def outcome_lines(preview: BuildPreview) -> list[str]:
    """Return how many images and classes there would be, and why candidates are excluded."""
    built = preview.built
    return [
        f"{count_noun(len(built.images), 'image')}, {built.complete_classes:,} of "
        f"{count_noun(len(built.draws), 'class', 'classes')} complete.",
        *(
            f"{count_noun(count, 'candidate')} not eligible: {EXCLUSION_WORDS[reason]}."
            for reason, count in preview.exclusions.items()
        ),
        *preview.notes,
    ]


def missing_lines(preview: BuildPreview, class_name: Callable[[str], str]) -> Iterator[str]:
    """Yield a line for each incomplete class: what is missing where, and what to do next."""
    by_class: dict[str, Counter[Exclusion]] = {}
    for image, reason in preview.eligibility.excluded.items():
        by_class.setdefault(preview.labels[image], Counter())[reason] += 1
    for draw in preview.built.draws:
        if draw.missing:
            where = _where(preview, draw)
            steps = "; ".join(_next_steps(draw, by_class.get(draw.label, Counter())))
            what = f"{draw.missing} missing{f' ({where})' if where else ''}"
            yield f"{class_name(draw.label)}: {what}. Next: {steps}."


def excluded_lines(preview: BuildPreview, class_name: Callable[[str], str]) -> Iterator[str]:
    """Yield every candidate that isn't eligible, by class, with the first reason."""
    order = sorted(
        preview.eligibility.excluded.items(), key=lambda each: (preview.labels[each[0]], each[0])
    )
    for image, reason in order:
        name = class_name(preview.labels[image])
        yield f"{name}: {image.image}: {EXCLUSION_WORDS[reason]}"


def _where(preview: BuildPreview, draw: ClassDraw) -> str:
    if draw.refused:
        found = preview.reference_images.get(draw.label, 0)
        return f"only {found} reference images with enough answers"
    return ", ".join(f"{n} of {bin_words(place)}" for place, n in draw.missing_in_bins.items())


def _next_steps(draw: ClassDraw, excluded: Counter[Exclusion]) -> Iterator[str]:
    if draw.refused:
        yield "plan a round with the reference"
        return
    waiting = excluded[Exclusion.TOO_FEW_ANSWERS], excluded[Exclusion.NOT_REVIEWED]
    if waiting[0]:
        yield f"ask annotators about {count_noun(waiting[0], 'candidate')}"
    if waiting[1]:
        yield f"review the neighbours of {count_noun(waiting[1], 'candidate')}"
    if sum(waiting) < draw.missing:
        yield "collect more candidates"
