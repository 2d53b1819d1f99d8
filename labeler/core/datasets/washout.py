"""How long ago people saw what they are to be evaluated on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from labeler.core.datasets.sampling import SampleCandidate
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun, join_some


@dataclass(frozen=True, slots=True, order=True)
class EarlierExposure:
    """A labeler, an image of the sample, and when they last judged labels of it."""

    labeler: str
    image: ImageKey
    at: datetime


@dataclass(frozen=True, slots=True)
class JudgedImage:
    """That a labeler judged labels of an image, with what the image holds, and when last."""

    labeler: str
    image: ImageKey
    content_hash: bytes | None
    at: datetime


def earlier_exposures(
    drawn: Iterable[SampleCandidate], judged: Iterable[JudgedImage]
) -> list[EarlierExposure]:
    """Who saw which of the images, under its name or as a copy of it."""
    taken = {candidate.key: candidate.content_hash for candidate in drawn}
    by_content = {content: key for key, content in taken.items() if content is not None}
    last: dict[tuple[str, ImageKey], datetime] = {}
    for one in judged:
        # A copy counts as the picture itself.
        copy = by_content.get(one.content_hash or b"", one.image)
        for image in {one.image, copy} & taken.keys():
            last[one.labeler, image] = max(last.get((one.labeler, image), one.at), one.at)
    return sorted(EarlierExposure(labeler, image, at) for (labeler, image), at in last.items())


def exposure_warning(seen: Sequence[EarlierExposure]) -> str | None:
    """What a lead should know before an evaluation begins; None when no one saw anything."""
    if not seen:
        return None
    last = max(one.at for one in seen)
    return (
        f"Earlier exposure: {_named(seen)} judged labels of images of the sample, last on "
        f"{last.date().isoformat()}. The study's settings can demand a washout of some days."
    )


def washout_refusal(seen: Sequence[EarlierExposure], *, days: int, now: datetime) -> str | None:
    """Why the evaluation can't begin yet; None without a washout, or when it is over."""
    waits = washout_ends(seen, days=days, now=now)
    if not waits:
        return None
    fresh = [one for one in seen if one.at + timedelta(days=days) > now]
    return (
        f"The washout of {count_noun(days, 'day')} isn't over: {_named(fresh)} judged labels of "
        f"images of the sample. It is over on {_moment(max(waits.values()))}; or draw another "
        "sample, or leave those labelers out."
    )


def washout_ends(
    seen: Iterable[EarlierExposure], *, days: int, now: datetime
) -> dict[str, datetime]:
    """Who has to wait and until when: no one without a washout, or when it is over."""
    waits: dict[str, datetime] = {}
    for one in seen:
        over = one.at + timedelta(days=days)
        if days and over > now:
            waits[one.labeler] = max(over, waits.get(one.labeler, over))
    return waits


def washout_summary(waits: Mapping[str, datetime]) -> str:
    """Who has to wait, for the lead; no sentence when no one has to."""
    if not waits:
        return ""
    sentences = (
        f"{labeler} has to wait until {_moment(at)}" for labeler, at in sorted(waits.items())
    )
    return f"The washout isn't over: {join_some(sentences)}."


def washout_row_text(until: datetime) -> str:
    """The same in the row of someone who has to wait."""
    return f"washout until {_moment(until)}"


def washout_wait_text(until: datetime) -> str:
    """The same for the labeler who wants to begin, who may not be reported of any image."""
    return (
        f"You can begin on {_moment(until)}: the study lets some time pass between judging "
        "labels and being evaluated."
    )


def washout_earliest_text(until: datetime) -> str:
    """The same while the evaluation isn't open."""
    return f"Opens when the lead begins the evaluation, for you not before {_moment(until)}."


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _named(seen: Sequence[EarlierExposure]) -> str:
    images: dict[str, list[str]] = {}
    for one in seen:
        images.setdefault(one.labeler, []).append(f"{one.image.dataset}: {one.image.image}")
    return "; ".join(f"{labeler} ({join_some(named)})" for labeler, named in sorted(images.items()))
