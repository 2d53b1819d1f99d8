"""Texts of a sample preview: what would be drawn, what is skipped, and what prevents it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from labeler.app.datasets.sampling import SamplePreview, repeats_sentence
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.text import count_noun

# A limit on the table; the sentences count all.
_ROWS = 500
ALSO_USED = "also used elsewhere"
TOO_FEW = "too few images"


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An image or class that isn't drawn: why, and in which dataset."""

    why: str
    dataset: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePreviewView:
    """The preview: what would be `drawn`, warnings, and a `shortage` that may be accepted.

    `refused` says why the sample can't be drawn, and is empty if it can.
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
        # A washout already names the people in the warning.
        warnings=tuple(filter(None, (report.washout or report.warning,))),
        refused=preview.refusals,
        shortage=preview.shortage or "",
        passed_over=tuple(islice(_skipped_items(preview, taxonomy), _ROWS)),
    )


def _drawn(preview: SamplePreview) -> Iterator[str]:
    draw = preview.report.draw
    yield (
        f"The sample would have {count_noun(len(draw.images), 'image')} of "
        f"{count_noun(len(draw.classes), 'class', 'classes')}."
    )
    by_dataset = Counter(key.dataset for key in draw.images)
    if len(by_dataset) > 1:
        # In the order of the request, so that it is the same in every preview.
        asked = preview.report.request.datasets
        yield ", ".join(f"{name}: {by_dataset[name]:,}" for name in asked) + "."
    if preview.report.repeated_images:
        yield repeats_sentence(preview.report.repeated_images)
    if draw.duplicates:
        yield f"{count_noun(len(draw.duplicates), 'duplicate')} would be skipped."
    if preview.report.unreadable:
        yield f"{count_noun(len(preview.report.unreadable), 'image')} can't be read."
    yield from preview.report.near_duplicates


def _skipped_items(preview: SamplePreview, taxonomy: Taxonomy) -> Iterator[SkippedItem]:
    for found in preview.collisions:
        also = f"{found.sampled.image} is also {found.other.dataset}: {found.other.image}"
        yield SkippedItem(ALSO_USED, found.sampled.dataset, also)
    for short in preview.report.draw.shortages:
        name = taxonomy.display_names[short.wnid]
        what = f"{name} ({short.wnid}): {short.available:,} of {short.wanted:,}"
        yield SkippedItem(TOO_FEW, short.dataset, what)
    for key, reason in preview.report.unreadable:
        yield SkippedItem("can't be read", key.dataset, f"{key.image}, {reason.fragment}")
    for twice in preview.report.draw.duplicates:
        same = f"{twice.sampled.image} is also {twice.other.dataset}: {twice.other.image}"
        yield SkippedItem("duplicate", twice.sampled.dataset, same)
