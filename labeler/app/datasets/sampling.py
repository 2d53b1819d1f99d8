"""Drawing the evaluation sample, and filling the training pool without using its images."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from labeler import __version__
from labeler.app.datasets.image_measurement import measure_images
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.study.settings import read_study_settings
from labeler.core.curation.sample_check import SEEN_PLACES, overlap_sentences
from labeler.core.datasets.hidden_repeats import MAX_REPEATS, repeat_count
from labeler.core.datasets.sampling import (
    DrawnSample,
    DuplicateImage,
    SampleCandidate,
    SampleRequest,
    SampleShortage,
    draw_per_class,
    draw_sample,
    duplicates_elsewhere,
)
from labeler.core.datasets.washout import (
    EarlierExposure,
    earlier_exposures,
    exposure_warning,
    washout_refusal,
)
from labeler.core.errors import RefusedError
from labeler.core.hash_order import validated_seed
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun, join_some
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.samples import SampleVersions
from labeler.store.study_store import StudyStore, Transaction

NO_EVALUATION_DATASET = "There is no evaluation dataset to draw from. Add one first."
NOTHING_DRAWN = "Nothing could be drawn: the datasets have no usable images."
SAMPLE_EXISTS = "The study already has a sample, which can be replaced."
ADD_TRAINING_FOLDER = "Add a separate folder of training images instead."
REMOVE_OR_SKIP = "Remove them there, or skip images used for training or reference."


@dataclass(frozen=True, slots=True)
class SampleReport:
    """The drawn sample, unreadable images, and warnings.

    `searched` says whether near-duplicates were searched at all.
    """

    request: SampleRequest
    draw: DrawnSample
    unreadable: tuple[tuple[ImageKey, UnreadableReason], ...]
    warning: str | None = None
    washout: str | None = None
    near_duplicates: tuple[str, ...] = ()
    searched: bool = False

    @property
    def repeated_images(self) -> int:
        """How many images each labeler is asked twice."""
        return repeat_count(len(self.draw.images), self.request.repeats)


def repeats_sentence(repeated: int) -> str:
    images = count_noun(repeated, "of them is", "of them are")
    return f"{images} asked twice, far apart and unmarked; the first answer counts."


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePreview:
    """What would be drawn; `refusals` say why it can't be, `collisions` list the duplicates.

    `shortage` is the only refusal that the lead can accept.
    """

    report: SampleReport
    collisions: tuple[DuplicateImage, ...]
    refusals: tuple[str, ...]
    shortage: str | None


def sample_datasets(store: StudyStore) -> tuple[str, ...]:
    """Return the datasets from which a sample is drawn by default."""
    with store.read() as study:
        datasets = study.datasets.all(DatasetRole.EVALUATION)
    return tuple(dataset.name for dataset in datasets if dataset.complete)


def freeze_sample(
    store: StudyStore,
    request: SampleRequest,
    *,
    redraw: bool = False,
    skip_seen: bool = False,
    allow_shortage: bool = False,
    progress: ProgressReporter | None = None,
) -> SampleReport:
    """Draw the sample and store it; refuse if it breaks a rule."""
    validated_seed(request.seed)
    _require_share(request.repeats)
    with store.read() as study:
        _require_unbegun(study, redraw=redraw)
        _require_datasets(study, request.datasets)
    unreadable: list[tuple[ImageKey, UnreadableReason]] = []
    for dataset in request.datasets:
        unreadable += measure_images(store, dataset, progress or NoProgress())
    guide_version = StudyGuide(store).current().version
    with store.write() as study:
        _require_unbegun(study, redraw=redraw)
        draw = _draw(study, request, {key for key, _ in unreadable}, skip_seen=skip_seen)
        if not allow_shortage:
            _require_plenty(draw, request, unreadable, names=store.taxonomy.display_names)
        versions = SampleVersions(
            taxonomy=store.taxonomy.version, guide=guide_version, program=__version__
        )
        study.samples.freeze(request, draw.images, versions)
        study.audit.record(
            "sample drawn",
            seed=request.seed,
            per_class=request.per_class,
            datasets=request.datasets,
            images=len(draw.images),
            repeats=request.repeats,
        )
        seen = study.samples.reviewed()
        return _report(study, request, draw, unreadable, seen, now=store.clock.utc())


def _require_share(repeats: float) -> None:
    if not 0 <= repeats <= MAX_REPEATS:
        raise RefusedError(f"Up to {MAX_REPEATS:.0%} of the images can be asked twice.")


def preview_sample(
    store: StudyStore,
    request: SampleRequest,
    *,
    skip_seen: bool = False,
    progress: ProgressReporter | None = None,
) -> SamplePreview:
    """Return what the request would draw and what prevents it; changes nothing."""
    validated_seed(request.seed)
    with store.read() as study:
        _require_datasets(study, request.datasets)
    unreadable: list[tuple[ImageKey, UnreadableReason]] = []
    for dataset in request.datasets:
        unreadable += measure_images(store, dataset, progress or NoProgress())
    with store.read() as study:
        drawn = _drawn(study, request, {key for key, _ in unreadable}, skip_seen=skip_seen)
        seen = earlier_exposures(drawn.candidates, study.samples.judged_by_labelers())
        report = _report(study, request, drawn.draw, unreadable, seen, now=store.clock.utc())
    names = store.taxonomy.display_names
    shortage = _shortage(drawn.draw, request, unreadable, names=names)
    found = drawn.collisions
    return SamplePreview(
        report=report,
        collisions=found,
        refusals=(_collision_sentence(found),) if found else (),
        shortage=None if shortage is None else str(shortage),
    )


def require_drawable(
    store: StudyStore,
    request: SampleRequest,
    *,
    skip_seen: bool,
    allow_shortage: bool,
    progress: ProgressReporter | None = None,
) -> None:
    """Refuse what `freeze_sample` would refuse, before a backup."""
    with store.read() as study:
        _require_unbegun(study, redraw=True)
    found = preview_sample(store, request, skip_seen=skip_seen, progress=progress)
    obstacles = (*found.refusals, "" if allow_shortage else found.shortage)
    for sentence in filter(None, obstacles):
        raise RefusedError(sentence)


def fill_training_pool(
    store: StudyStore,
    dataset: str,
    *,
    per_class: int,
    seed: int,
    spare: int = 0,
    back_up: Callable[[], None] = lambda: None,
    progress: ProgressReporter | None = None,
) -> int:
    """Draw images of an evaluation dataset into the training pool, and return their number.

    Images of the sample and copies of them are left out. Refused if fewer than `spare` images of
    a class would remain for a sample; otherwise `back_up` is called first.
    """
    validated_seed(seed)
    with store.read() as study:
        _require_datasets(study, [dataset])
    unreadable = {key for key, _ in measure_images(store, dataset, progress or NoProgress())}
    with store.read() as study:
        free = _free_to_train_on(study, dataset, unreadable)
        _require_spare(free, dataset, per_class=per_class, spare=spare)
    back_up()
    with store.write() as study:
        names_by_class = _free_to_train_on(study, dataset, unreadable)
        _require_spare(names_by_class, dataset, per_class=per_class, spare=spare)
        drawn = [
            name
            for wnid, names in sorted(names_by_class.items())
            for name in draw_per_class(names, count=per_class, seed=seed, wnid=wnid)
        ]
        study.image_roles.put_in_training_pool(dataset, drawn)
        study.audit.record("training pool filled", dataset=dataset, images=len(drawn), seed=seed)
    return len(drawn)


def _free_to_train_on(
    study: Transaction, dataset: str, unreadable: set[ImageKey]
) -> dict[str, list[str]]:
    """Return the images by class that aren't in the sample, not even as a copy."""
    sampled = study.samples.candidates()
    keys = unreadable | {candidate.key for candidate in sampled}
    contents = {candidate.content_hash for candidate in sampled} - {None}
    names_by_class: dict[str, list[str]] = {}
    for candidate in study.image_roles.candidates([dataset]):
        free = candidate.key not in keys and candidate.content_hash not in contents
        if free and candidate.eligible:
            names_by_class.setdefault(candidate.target, []).append(candidate.key.image)
    return names_by_class


def _require_spare(
    names_by_class: Mapping[str, Sequence[str]], dataset: str, *, per_class: int, spare: int
) -> None:
    fewest = min(map(len, names_by_class.values()), default=0)
    if spare and fewest - per_class < spare:
        most = max(fewest - spare, 0)
        instead = f"Draw at most {most:,}." if most else ADD_TRAINING_FOLDER
        raise RefusedError(
            f"Some classes have only {count_noun(fewest, 'image')} left in {dataset}. With "
            f"{per_class:,} per class for training, none would be left to evaluate. {instead}"
        )


def _require_unbegun(study: Transaction, *, redraw: bool) -> None:
    state = study.phases.states()[Phase.EVALUATE]
    if state is not PhaseState.CLOSED:
        raise RefusedError(f"The evaluation is {state}, so its sample can't be changed.")
    if study.samples.current() is not None and not redraw:
        raise RefusedError(SAMPLE_EXISTS, by_command="Use --redraw.")


def _require_plenty(
    draw: DrawnSample,
    request: SampleRequest,
    unreadable: Sequence[tuple[ImageKey, UnreadableReason]],
    *,
    names: Mapping[str, str],
) -> None:
    shortage = _shortage(draw, request, unreadable, names=names)
    if shortage is not None:
        raise shortage


def _shortage(
    draw: DrawnSample,
    request: SampleRequest,
    unreadable: Sequence[tuple[ImageKey, UnreadableReason]],
    *,
    names: Mapping[str, str],
) -> RefusedError | None:
    accept = "Use --allow-shortage to accept it."
    if draw.shortages:
        sentence = _shortage_sentence(draw.shortages, names) + _unreadable_sentence(unreadable)
        if len(request.datasets) > 1 and not request.shared_only:
            sentence += " You can draw only the classes that all datasets have."
            accept = "Use --shared-classes for that, or --allow-shortage to accept it."
        return RefusedError(sentence, by_command=accept)
    if request.shared_only and not draw.classes:
        return RefusedError(
            f"No class has {count_noun(request.per_class, 'image')} that can be drawn in each of "
            f"{', '.join(request.datasets)}. Draw fewer images of each class, or use one dataset."
        )
    if request.class_count is not None and len(draw.classes) < request.class_count:
        return RefusedError(
            f"Only {len(draw.classes):,} classes have images that can be drawn, not "
            f"{request.class_count:,}. Choose fewer classes, or accept the shortage.",
            by_command=accept,
        )
    return None


def _report(
    study: Transaction,
    request: SampleRequest,
    draw: DrawnSample,
    unreadable: Sequence[tuple[ImageKey, UnreadableReason]],
    seen: Sequence[EarlierExposure],
    *,
    now: datetime,
) -> SampleReport:
    days = read_study_settings(study).washout_days
    return SampleReport(
        request,
        draw,
        tuple(unreadable),
        warning=exposure_warning(seen, washout_days=days),
        washout=washout_refusal(seen, days=days, now=now),
        near_duplicates=overlap_sentences(study.near_duplicates.overlaps(draw.images)),
        searched=bool(study.duplicate_searches.records()),
    )


def _require_datasets(study: Transaction, names: Sequence[str]) -> None:
    if not names:
        raise RefusedError(NO_EVALUATION_DATASET)
    for name in names:
        dataset = study.datasets.find(name)
        if dataset is None:
            known = ", ".join(d.name for d in study.datasets.all(DatasetRole.EVALUATION))
            raise RefusedError(
                f"The study has no dataset '{name}'. Choose from: {known or 'none'}."
            )
        if dataset.role is not DatasetRole.EVALUATION:
            raise RefusedError(
                f"'{name}' is a {dataset.role} dataset. Choose an evaluation dataset."
            )
        if not dataset.complete:
            raise RefusedError(f"The import of '{name}' was interrupted. Resume it first.")


@dataclass(frozen=True, slots=True)
class _SampleDraw:
    """A draw, its candidates, and those of them that are also used elsewhere."""

    draw: DrawnSample
    candidates: list[SampleCandidate]
    collisions: tuple[DuplicateImage, ...]


def _draw(
    study: Transaction, request: SampleRequest, unreadable: set[ImageKey], *, skip_seen: bool
) -> DrawnSample:
    drawn = _drawn(study, request, unreadable, skip_seen=skip_seen)
    if drawn.collisions:
        sentence = _collision_sentence(drawn.collisions)
        raise RefusedError(sentence, by_command="Use --skip-seen to skip them.")
    return drawn.draw


def _drawn(
    study: Transaction, request: SampleRequest, unreadable: set[ImageKey], *, skip_seen: bool
) -> _SampleDraw:
    seen = study.image_roles.seen_before_evaluation()
    candidates = [
        candidate
        for candidate in study.image_roles.candidates(request.datasets)
        if candidate.key not in unreadable
    ]
    if skip_seen:
        near = _near_seen_images(study, [candidate.key for candidate in candidates])
        candidates = [_out_if_seen(candidate, seen, near) for candidate in candidates]
    draw = draw_sample(candidates, request)
    if not draw.images:
        raise RefusedError(NOTHING_DRAWN)
    keys = set(draw.images)
    taken = [candidate for candidate in candidates if candidate.key in keys]
    copies = duplicates_elsewhere(taken, seen)
    confirmed = _confirmed_duplicates(study, draw.images, {found.sampled for found in copies})
    return _SampleDraw(draw, taken, (*copies, *confirmed))


def _confirmed_duplicates(
    study: Transaction, images: Sequence[ImageKey], known: set[ImageKey]
) -> list[DuplicateImage]:
    """Return near-duplicates among references and training images that someone confirmed."""
    found = {
        overlap.sampled: overlap.other
        for overlap in study.near_duplicates.overlaps(images)
        if overlap.confirmed and overlap.place in SEEN_PLACES and overlap.sampled not in known
    }
    return [DuplicateImage(sampled, other) for sampled, other in sorted(found.items())]


def _near_seen_images(study: Transaction, images: Sequence[ImageKey]) -> set[ImageKey]:
    """Return images with a near-duplicate, confirmed or not reviewed, that labelers see."""
    overlaps = study.near_duplicates.overlaps(images)
    return {overlap.sampled for overlap in overlaps if overlap.place in SEEN_PLACES}


def _out_if_seen(
    candidate: SampleCandidate, seen: dict[bytes, ImageKey], near: set[ImageKey]
) -> SampleCandidate:
    is_seen = candidate.content_hash in seen or candidate.key in near
    return replace(candidate, in_training_pool=True) if is_seen else candidate


def _shortage_sentence(shortages: Sequence[SampleShortage], names: Mapping[str, str]) -> str:
    # A class with a shortage in two datasets counts once.
    by_class: dict[str, list[SampleShortage]] = {}
    for shortage in shortages:
        by_class.setdefault(shortage.wnid, []).append(shortage)
    named = join_some(_short_class(names[wnid], short) for wnid, short in by_class.items())
    short = count_noun(len(by_class), "class has", "classes have")
    return (
        f"{short} too few images that can be drawn ({named}). Choose fewer per class, or accept "
        "the shortage."
    )


def _short_class(name: str, shortages: Sequence[SampleShortage]) -> str:
    had = ", ".join(f"{s.available:,} of {s.wanted:,} in {s.dataset}" for s in shortages)
    return f"{name}: {had}"


def _unreadable_sentence(unreadable: Sequence[tuple[ImageKey, UnreadableReason]]) -> str:
    if not unreadable:
        return ""
    named = join_some(f"{key.dataset}: {key.image}" for key, _reason in unreadable)
    return (
        f" {count_noun(len(unreadable), 'file')} can't be read ({named}). If the folder was moved, "
        "locate it."
    )


def _collision_sentence(found: Sequence[DuplicateImage]) -> str:
    first = found[0]
    return (
        f"{count_noun(len(found), 'image')} of the sample would also be in the training pool or "
        f"the references, for example {first.sampled.dataset}: {first.sampled.image}, which is "
        f"{first.other.dataset}: {first.other.image}. {REMOVE_OR_SKIP}"
    )
