"""The washout: how long ago labelers saw images that they will be evaluated on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from labeler.core.datasets.sampling import SampleCandidate
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun, join_some


@dataclass(frozen=True, slots=True, order=True)
class EarlierExposure:
    """A labeler, an image of the sample, and when the labeler last judged its labels."""

    labeler: str
    image: ImageKey
    at: datetime


@dataclass(frozen=True, slots=True)
class JudgedImage:
    """A labeler saw an image in a review: its content hash, and when last."""

    labeler: str
    image: ImageKey
    content_hash: bytes | None
    at: datetime


def earlier_exposures(
    drawn: Iterable[SampleCandidate], judged: Iterable[JudgedImage]
) -> list[EarlierExposure]:
    """Return who saw which sampled images, under their own name or as a copy."""
    hashes = {candidate.key: candidate.content_hash for candidate in drawn}
    by_content = {content: key for key, content in hashes.items() if content is not None}
    last: dict[tuple[str, ImageKey], datetime] = {}
    for review in judged:
        # A copy counts as the picture itself.
        copy = by_content.get(review.content_hash or b"", review.image)
        for image in {review.image, copy} & hashes.keys():
            last[review.labeler, image] = max(
                last.get((review.labeler, image), review.at), review.at
            )
    return sorted(EarlierExposure(labeler, image, at) for (labeler, image), at in last.items())


WASHOUT_ADVICE = "You can require a washout period in the study's settings."


def exposure_warning(seen: Sequence[EarlierExposure], *, washout_days: int) -> str | None:
    """Return a warning for the lead before the evaluation starts, or None."""
    if not seen:
        return None
    last = max(exposure.at for exposure in seen)
    advice = "" if washout_days else f" {WASHOUT_ADVICE}"
    return (
        f"Earlier exposure: {_named(seen)} saw sampled images in a review, most recently on "
        f"{last.date().isoformat()}.{advice}"
    )


def washout_refusal(seen: Sequence[EarlierExposure], *, days: int, now: datetime) -> str | None:
    """Return why the evaluation can't start yet, or None."""
    waits = washout_ends(seen, days=days, now=now)
    if not waits:
        return None
    recent = [exposure for exposure in seen if exposure.at + timedelta(days=days) > now]
    return (
        f"The washout of {count_noun(days, 'day')} isn't over: {_named(recent)} saw sampled images "
        f"in a review. Start after {_moment(max(waits.values()))}, draw another "
        "sample, or exclude these labelers."
    )


def washout_ends(
    seen: Iterable[EarlierExposure], *, days: int, now: datetime
) -> dict[str, datetime]:
    """Return until when each labeler has to wait; empty if no washout is required or left."""
    waits: dict[str, datetime] = {}
    for exposure in seen:
        end = exposure.at + timedelta(days=days)
        if days and end > now:
            waits[exposure.labeler] = max(end, waits.get(exposure.labeler, end))
    return waits


def washout_summary(waits: Mapping[str, datetime]) -> str:
    """Return a sentence for the lead about who has to wait, or an empty string."""
    if not waits:
        return ""
    sentences = (
        f"{labeler} must wait until {_moment(at)}" for labeler, at in sorted(waits.items())
    )
    return f"The washout isn't over: {join_some(sentences)}."


def washout_row_text(until: datetime) -> str:
    """Return the same for the row of a labeler who has to wait."""
    return f"washout until {_moment(until)}"


def washout_wait_text(until: datetime) -> str:
    """Return the same for the labeler, who must not learn about images."""
    return (
        f"You can begin on {_moment(until)}: the study requires a break between judging "
        "labels and being evaluated."
    )


def washout_earliest_text(until: datetime) -> str:
    """Return the same while the evaluation isn't open yet."""
    return f"Opens when the lead starts the evaluation; for you, not before {_moment(until)}."


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _named(seen: Sequence[EarlierExposure]) -> str:
    images: dict[str, list[str]] = {}
    for exposure in seen:
        images.setdefault(exposure.labeler, []).append(
            f"{exposure.image.dataset}: {exposure.image.image}"
        )
    return "; ".join(f"{labeler} ({join_some(named)})" for labeler, named in sorted(images.items()))
