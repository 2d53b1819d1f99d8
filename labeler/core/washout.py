"""How long ago people saw what they are to be evaluated on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from labeler.core.naming import counted, some
from labeler.core.sampling import Candidate
from labeler.core.study import ImageKey


@dataclass(frozen=True, slots=True, order=True)
class SeenBefore:
    """A labeler, an image of the sample, and when they last judged labels of it."""

    labeler: str
    image: ImageKey
    at: datetime


@dataclass(frozen=True, slots=True)
class Judged:
    """That a labeler judged labels of an image, with what the image holds, and when last."""

    labeler: str
    image: ImageKey
    content_hash: bytes | None
    at: datetime


def seen_among(drawn: Iterable[Candidate], judged: Iterable[Judged]) -> list[SeenBefore]:
    """Who saw which of the images, under its name or as a copy of it."""
    taken = {candidate.key: candidate.content_hash for candidate in drawn}
    by_content = {content: key for key, content in taken.items() if content is not None}
    last: dict[tuple[str, ImageKey], datetime] = {}
    for one in judged:
        # A copy counts as the picture itself.
        copy = by_content.get(one.content_hash or b"", one.image)
        for image in {one.image, copy} & taken.keys():
            last[one.labeler, image] = max(last.get((one.labeler, image), one.at), one.at)
    return sorted(SeenBefore(labeler, image, at) for (labeler, image), at in last.items())


def exposure_warning(seen: Sequence[SeenBefore]) -> str | None:
    """What a lead should know before an evaluation begins; None when nobody saw anything."""
    if not seen:
        return None
    last = max(one.at for one in seen)
    return (
        f"Earlier exposure: {_named(seen)} judged labels of images of the sample, last on "
        f"{last.date().isoformat()}. The study's settings can demand a washout of some days."
    )


def washout_refusal(seen: Sequence[SeenBefore], *, days: int, now: datetime) -> str | None:
    """Why the evaluation can't begin yet; None without a washout, or when it is over."""
    fresh = [one for one in seen if days and now - one.at < timedelta(days=days)]
    if not fresh:
        return None
    over = max(one.at for one in fresh) + timedelta(days=days)
    return (
        f"The washout of {counted(days, 'day')} isn't over: {_named(fresh)} judged labels of "
        f"images of the sample. It is over on {over.date().isoformat()}; or draw another "
        "sample, or leave those labelers out."
    )


def own_refusal(
    seen: Sequence[SeenBefore], labeler: str, *, days: int, now: datetime
) -> str | None:
    """The same for the labeler who wants to begin, who may not be told which images."""
    moments = [one.at for one in seen if one.labeler == labeler]
    over = max(moments) + timedelta(days=days) if moments and days else now
    if over <= now:
        return None
    return (
        "You can't be evaluated yet: not long ago you judged labels of pictures that the "
        f"evaluation would show you. You can begin on {over.date().isoformat()}."
    )


def _named(seen: Sequence[SeenBefore]) -> str:
    images: dict[str, list[str]] = {}
    for one in seen:
        images.setdefault(one.labeler, []).append(f"{one.image.dataset}: {one.image.image}")
    return "; ".join(f"{labeler} ({some(named)})" for labeler, named in sorted(images.items()))
