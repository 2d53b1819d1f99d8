"""The data card of a built dataset: what it is, how it was made, and what is known about it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from labeler.core.curation.entities import Candidate, Revision
from labeler.core.curation.revisions import ClassState
from labeler.core.text import count_noun


def data_card(
    revision: Revision,
    images: Collection[Candidate],
    states: Mapping[str, ClassState],
    *,
    names: Mapping[str, str],
    reviewers: int,
) -> str:
    """Return the data card as Markdown; the same revision gives the same text."""
    per_class = Counter(each.label for each in images)
    lines = [
        f"# {revision.dataset}, revision {revision.revision}",
        "",
        f"{count_noun(len(images), 'image')} of {count_noun(len(per_class), 'class', 'classes')}, "
        f"sampled from the candidate pool “{revision.pool}”.",
        "",
        "## How it was made",
        "",
        f"- State: {revision.state}",
        f"- Made: {revision.made_at}",
        f"- Parent: {'none' if revision.parent is None else f'revision {revision.parent}'}",
        f"- Strategy: {revision.strategy}",
        f"- Seed: {revision.seed}",
        *(f"- {key}: {value}" for key, value in sorted(revision.parameters.items())),
        "",
        "## Selection frequencies",
        "",
        f"- Mean: {_mean(images)}",
        f"- Answers an image: {_range(each.shown for each in images)}",
        "",
        "## Review",
        "",
        f"- Classes reviewed: {sum(s.reviewed for s in states.values())} of {len(states)}",
        f"- Classes that need work: {sum(s.needs_work for s in states.values())}",
        f"- Reviewers: {reviewers}",
        "",
        "## Sources",
        "",
        *_source_lines(images),
        "",
        "## Classes",
        "",
        "| class | name | images |",
        "|---|---|--:|",
        *(f"| {label} | {names[label]} | {per_class[label]} |" for label in sorted(per_class)),
        "",
        "## Terms",
        "",
        "The images belong to their authors. Check the licence of each source before you publish "
        "them.",
    ]
    return "\n".join(lines) + "\n"


def _mean(images: Collection[Candidate]) -> str:
    values = [each.value for each in images if each.frequency is not None]
    if not values:
        return "unknown"
    return f"{float(sum(values, Fraction(0)) / len(values)):.4f}"


def _range(numbers: Iterable[int]) -> str:
    found = sorted(numbers)
    return f"{found[0]} to {found[-1]}" if found else "unknown"


def _source_lines(images: Collection[Candidate]) -> list[str]:
    counts = Counter(each.source.source or "unknown" for each in images)
    lines = [f"- {name}: {count_noun(count, 'image')}" for name, count in sorted(counts.items())]
    for what, dates in (
        ("Taken", [each.source.taken_at for each in images if each.source.taken_at]),
        ("Uploaded", [each.source.uploaded_at for each in images if each.source.uploaded_at]),
    ):
        if dates:
            lines.append(f"- {what}: {min(dates)} to {max(dates)}")
    return lines
