"""A sample before it is drawn, told: how many images of what, what is passed over, and why not."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from labeler.app.datasets.sampling import SamplePreview
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.text import count_noun

# More rows than anyone reads; the sentences count all.
_ROWS = 500


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """Something that isn't drawn, or mustn't be: why, in which dataset, and which class or file."""

    why: str
    dataset: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePreviewView:
    """`drawn` tells what comes, `warnings` what to know; `shortage` may be accepted.

    `refused` says why such a sample can't be drawn at all, and is empty where it can.
    """

    drawn: tuple[str, ...]
    warnings: tuple[str, ...]
    refused: tuple[str, ...]
    shortage: str
    passed_over: tuple[SkippedItem, ...]


def sample_preview_view(preview: SamplePreview, taxonomy: Taxonomy) -> SamplePreviewView:
    report = preview.report
    return SamplePreviewView(
        drawn=tuple(_drawn(preview)),
        # A washout that isn't over names those who have seen something already.
        warnings=tuple(filter(None, (report.washout or report.warning,))),
        refused=preview.refusals,
        shortage=preview.shortage or "",
        passed_over=tuple(islice(_skipped_items(preview, taxonomy), _ROWS)),
    )


def _drawn(preview: SamplePreview) -> Iterator[str]:
    draw = preview.report.draw
    yield (
        f"It would draw {count_noun(len(draw.images), 'image')} of "
        f"{count_noun(len(draw.classes), 'class', 'classes')}."
    )
    by_dataset = Counter(key.dataset for key in draw.images)
    if len(by_dataset) > 1:
        # In the order in which they were asked for, which is the same at every look.
        asked = preview.report.request.datasets
        yield ", ".join(f"{name}: {by_dataset[name]:,}" for name in asked) + "."
    if draw.duplicates:
        yield f"{count_noun(len(draw.duplicates), 'equal picture')} would be passed over."
    if preview.report.unreadable:
        yield f"{count_noun(len(preview.report.unreadable), 'image')} can't be read."


def _skipped_items(preview: SamplePreview, taxonomy: Taxonomy) -> Iterator[SkippedItem]:
    for found in preview.collisions:
        also = f"{found.sampled.image} is also {found.other.dataset}: {found.other.image}"
        yield SkippedItem("seen beforehand", found.sampled.dataset, also)
    for short in preview.report.draw.shortages:
        name = taxonomy.display_names[short.wnid]
        what = f"{name} ({short.wnid}): {short.available:,} of {short.wanted:,}"
        yield SkippedItem("too few images", short.dataset, what)
    for key, reason in preview.report.unreadable:
        yield SkippedItem("can't be read", key.dataset, f"{key.image}, {reason.fragment}")
    for twice in preview.report.draw.duplicates:
        same = f"{twice.sampled.image} is also {twice.other.dataset}: {twice.other.image}"
        yield SkippedItem("equal picture", twice.sampled.dataset, same)
