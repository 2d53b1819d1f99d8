"""Drawing the evaluation sample, and filling the training pool out of its way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from labeler import __version__
from labeler.app.datasets.image_measurement import measure_images
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.app.study.settings import read_study_settings
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


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What was drawn and what stood in the way."""

    request: SampleRequest
    draw: DrawnSample
    unreadable: tuple[tuple[ImageKey, UnreadableReason], ...]
    warning: str | None = None
    washout: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePreview:
    """What would be drawn; `refusals` say why it can't be, `collisions` among them one by one.

    `shortage` is the one refusal that the lead may accept.
    """

    report: SampleReport
    collisions: tuple[DuplicateImage, ...]
    refusals: tuple[str, ...]
    shortage: str | None


def sample_datasets(store: StudyStore) -> tuple[str, ...]:
    """The datasets that a sample comes from unless the lead says otherwise."""
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
    """Draw the sample and make it the study's; refused as a whole when a rule is broken."""
    validated_seed(request.seed)
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
        )
        seen = study.samples.reviewed()
        return _report(study, request, draw, unreadable, seen, now=store.clock.utc())


def preview_sample(
    store: StudyStore,
    request: SampleRequest,
    *,
    skip_seen: bool = False,
    progress: ProgressReporter | None = None,
) -> SamplePreview:
    """What the request would draw now, and everything in its way; nothing is frozen."""
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
    """Refuse what `freeze_sample` would in place of a sample, before it is backed up for."""
    with store.read() as study:
        _require_unbegun(study, redraw=True)
    found = preview_sample(store, request, skip_seen=skip_seen, progress=progress)
    in_the_way = (*found.refusals, "" if allow_shortage else found.shortage)
    for sentence in filter(None, in_the_way):
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
    """Draw images of an evaluation dataset into the training pool; tell how many it took.

    Images of the sample stay out, and so do other copies of its pictures. Refused where fewer than
    `spare` images of a class would be left for a sample; backed up first where it isn't.
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
    """The images by class that no sample has, in any copy."""
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
        instead = f"Draw at most {most:,}." if most else "Add a folder of their own instead."
        raise RefusedError(
            f"Some classes have only {count_noun(fewest, 'image')} left in {dataset}: with "
            f"{per_class:,} of each class to train on, none would be left to evaluate. {instead}"
        )


def _require_unbegun(study: Transaction, *, redraw: bool) -> None:
    state = study.phases.states()[Phase.EVALUATE]
    if state is not PhaseState.CLOSED:
        raise RefusedError(f"The evaluation is {state}: its sample can't change any more.")
    if study.samples.current() is not None and not redraw:
        raise RefusedError(
            "The study has a sample already, which can be replaced.", by_command="Say --redraw."
        )


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
    accept = "--allow-shortage accepts it."
    if draw.shortages:
        sentence = _shortage_sentence(draw.shortages, names) + _unreadable_sentence(unreadable)
        return RefusedError(sentence, by_command=accept)
    if request.class_count is not None and len(draw.classes) < request.class_count:
        return RefusedError(
            f"Only {len(draw.classes):,} classes have images that may be drawn, not "
            f"{request.class_count:,}. Ask for fewer classes, or accept it.",
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
    return SampleReport(
        request,
        draw,
        tuple(unreadable),
        warning=exposure_warning(seen),
        washout=washout_refusal(seen, days=read_study_settings(study).washout_days, now=now),
    )


def _require_datasets(study: Transaction, names: Sequence[str]) -> None:
    if not names:
        raise RefusedError("There is no evaluation dataset to draw from: add one first.")
    for name in names:
        dataset = study.datasets.find(name)
        if dataset is None:
            known = ", ".join(d.name for d in study.datasets.all(DatasetRole.EVALUATION))
            raise RefusedError(
                f"The study has no dataset '{name}'; it can draw from: {known or 'none'}."
            )
        if dataset.role is not DatasetRole.EVALUATION:
            raise RefusedError(
                f"'{name}' is a {dataset.role} dataset; samples come from evaluation ones."
            )
        if not dataset.complete:
            raise RefusedError(
                f"The import of '{name}' was interrupted. Repeat it to go on with it."
            )


@dataclass(frozen=True, slots=True)
class _SampleDraw:
    """A draw, the candidates that it took, and those of them that were seen beforehand."""

    draw: DrawnSample
    candidates: list[SampleCandidate]
    collisions: tuple[DuplicateImage, ...]


def _draw(
    study: Transaction, request: SampleRequest, unreadable: set[ImageKey], *, skip_seen: bool
) -> DrawnSample:
    drawn = _drawn(study, request, unreadable, skip_seen=skip_seen)
    if drawn.collisions:
        sentence = _collision_sentence(drawn.collisions)
        raise RefusedError(sentence, by_command="--skip-seen passes over them.")
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
        candidates = [_out_if_seen(candidate, seen) for candidate in candidates]
    draw = draw_sample(candidates, request)
    if not draw.images:
        raise RefusedError("Nothing could be drawn: the datasets have no image that may be used.")
    keys = set(draw.images)
    taken = [candidate for candidate in candidates if candidate.key in keys]
    return _SampleDraw(draw, taken, duplicates_elsewhere(taken, seen))


def _out_if_seen(candidate: SampleCandidate, seen: dict[bytes, ImageKey]) -> SampleCandidate:
    return (
        replace(candidate, in_training_pool=True) if candidate.content_hash in seen else candidate
    )


def _shortage_sentence(shortages: Sequence[SampleShortage], names: Mapping[str, str]) -> str:
    # A class that is short in two datasets is one class.
    by_class: dict[str, list[SampleShortage]] = {}
    for shortage in shortages:
        by_class.setdefault(shortage.wnid, []).append(shortage)
    named = join_some(_short_class(names[wnid], short) for wnid, short in by_class.items())
    short = count_noun(len(by_class), "class has", "classes have")
    return (
        f"{short} too few images that may be drawn ({named}). Ask for fewer per class, or accept "
        "it."
    )


def _short_class(name: str, shortages: Sequence[SampleShortage]) -> str:
    had = ", ".join(f"{s.available:,} of {s.wanted:,} in {s.dataset}" for s in shortages)
    return f"{name}: {had}"


def _unreadable_sentence(unreadable: Sequence[tuple[ImageKey, UnreadableReason]]) -> str:
    if not unreadable:
        return ""
    named = join_some(f"{key.dataset}: {key.image}" for key, _reason in unreadable)
    return (
        f" Files that can't be read: {len(unreadable):,} ({named}); if the folder moved, say "
        "where it is now."
    )


def _collision_sentence(found: Sequence[DuplicateImage]) -> str:
    first = found[0]
    return (
        f"{count_noun(len(found), 'picture')} would be in the sample and in the training pool "
        "or the "
        f"references too, for example {first.sampled.dataset}: {first.sampled.image}, which is "
        f"{first.other.dataset}: {first.other.image}. Take them out there, or choose to pass over "
        "pictures that are trained on or shown as references."
    )
