"""Plan rounds of crowd tasks over images of the study's datasets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from labeler.app.crowd.pool_images import reference_images_to_ask, without_asked_candidates
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.crowd.entities import AnnotationStatus, GridRole
from labeler.core.crowd.grids import GridRules, PlannedGrid, plan_grids
from labeler.core.crowd.rounds import (
    CrowdRound,
    CrowdTask,
    LabelChoice,
    images_by_label,
    potential_labels,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.text import count_noun
from labeler.store.models.predictions import NO_LABEL
from labeler.store.study_store import StudyStore, Transaction

DEFAULT_ANSWERS = 9
# The share of right answers, in percent, that the short test asks for.
DEFAULT_QUALIFICATION = 75
NO_EVALUATION_DATASET = "The study has no evaluation dataset. Add one first."
NO_MODELS = (
    "Potential labels are the models' first five, but the study has no model predictions on "
    "these datasets. Score or import a model first, or ask about the targets only."
)
NO_CONTROLS = (
    "There are no images for controls. Add a reference dataset, or choose a dataset to take "
    "controls from."
)
NO_CANDIDATES = (
    "No image waits for the classify task. Collect contains-answers and aggregate them first, or "
    "ask about the potential labels."
)
NO_IMAGES = "The chosen datasets have no images to ask about."
LABELS_OF_CONTAINS = "A contains round asks about potential labels or targets."
LABELS_OF_POOL = (
    "No model is scored on a candidate pool, so a round about it asks for the proposed classes: "
    "choose the labels “target”."
)
LABELS_OF_CLASSIFY = "A classify round asks about candidate or potential labels."


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRequest:
    """What the lead asks for: without datasets, all evaluation datasets.

    `control_datasets` None takes all references; `models` None takes every model with predictions.
    """

    task: CrowdTask
    labels: LabelChoice
    seed: int
    datasets: tuple[str, ...] = ()
    sampled: bool = False
    answers: int = DEFAULT_ANSWERS
    rules: GridRules = field(default_factory=GridRules)
    control_datasets: tuple[str, ...] | None = None
    models: tuple[str, ...] | None = None
    # A dataset whose images are asked about as well, until each class of the pools has enough.
    reference: str | None = None
    # The share of right answers, in percent, that annotators need in the test; 0 asks for none.
    qualification: int = DEFAULT_QUALIFICATION
    # Whether annotators of a classify round see reference images of each label.
    shows_references: bool = False

    def parameters(self) -> dict[str, object]:
        """Return what is stored with the round."""
        return {
            "labels": str(self.labels),
            "datasets": list(self.datasets),
            "sampled": self.sampled,
            "qualification": self.qualification,
            "shows_references": self.shows_references,
            "images": self.rules.images,
            "positive": self.rules.positive,
            "negative": self.rules.negative,
            "control_datasets": None
            if self.control_datasets is None
            else list(self.control_datasets),
            "models": None if self.models is None else list(self.models),
            "reference": self.reference,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoices:
    """What a round can be planned with: dataset names by role, and models with predictions."""

    evaluation: tuple[str, ...]
    references: tuple[str, ...]
    models: tuple[str, ...]


def read_plan_choices(store: StudyStore) -> PlanChoices:
    """Read the datasets and models of the study."""
    with store.read() as study:
        datasets = study.datasets.all()
        models = {stored.model for stored in study.model_predictions.all()}
    of_role = {role: tuple(d.name for d in datasets if d.role is role) for role in DatasetRole}
    return PlanChoices(
        evaluation=of_role[DatasetRole.EVALUATION],
        references=of_role[DatasetRole.REFERENCE],
        models=tuple(sorted(models)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """What a request leads to; nothing is stored yet."""

    request: RoundRequest
    labels: Mapping[ImageKey, tuple[str, ...]]
    grids: tuple[PlannedGrid, ...] = ()
    without_positive: tuple[str, ...] = ()

    @property
    def images(self) -> int:
        return len(self.labels)

    @property
    def pairs(self) -> int:
        """The number of (image, label) pairs that are asked."""
        return sum(map(len, self.labels.values()))

    @property
    def items(self) -> int:
        return len(self.grids) if self.request.task is CrowdTask.CONTAINS else self.images

    @property
    def answers(self) -> int:
        """The number of answers that annotators have to give."""
        return self.items * self.request.answers

    @property
    def summary(self) -> str:
        """What the round asks for, in a sentence."""
        unit = "grid" if self.request.task is CrowdTask.CONTAINS else "image"
        return (
            f"{count_noun(self.images, 'image')}, {count_noun(self.pairs, 'pair')} of image and "
            f"label: {count_noun(self.items, unit)}, {count_noun(self.answers, 'answer')} wanted."
        )

    @property
    def warning(self) -> str:
        """Which classes have no positive controls; empty if all have some."""
        if not self.without_positive:
            return ""
        count = count_noun(len(self.without_positive), "class", "classes")
        return f"{count} without positive controls: {', '.join(self.without_positive[:5])}"


def plan_round(store: StudyStore, request: RoundRequest) -> RoundPlan:
    """Work out a round without storing it."""
    with store.read() as study:
        labels = _asked_labels(study, request, store.taxonomy)
        if not labels:
            raise RefusedError(NO_IMAGES)
        if request.task is CrowdTask.CLASSIFY:
            return RoundPlan(request=request, labels=labels)
        controls = study.crowd_rounds.controls(request.control_datasets)
        used = study.crowd_rounds.control_uses()
    if not any(controls.values()):
        raise RefusedError(NO_CONTROLS)
    grids = tuple(
        plan_grids(
            images_by_label(labels),
            references=controls,
            taxonomy=store.taxonomy,
            rules=request.rules,
            seed=request.seed,
            used=used,
        )
    )
    without = {grid.label for grid in grids if not _positives(grid)}
    return RoundPlan(
        request=request, labels=labels, grids=grids, without_positive=tuple(sorted(without))
    )


def store_plan(store: StudyStore, plan: RoundPlan, *, actor: str = "lead") -> CrowdRound:
    """Store a planned round, which opens it for annotators."""
    request = plan.request
    with store.write() as study:
        rounds = study.crowd_rounds
        if request.task is CrowdTask.CONTAINS:
            added = rounds.add_contains(
                plan.grids,
                answers=request.answers,
                seed=request.seed,
                parameters=request.parameters(),
            )
        else:
            added = rounds.add_classify(
                plan.labels,
                answers=request.answers,
                seed=request.seed,
                parameters=request.parameters(),
            )
        study.audit.record(
            "crowd round planned", actor=actor, round=added.id, task=str(request.task)
        )
    return added


def close_round(store: StudyStore, round_id: str, *, actor: str = "lead") -> None:
    """Hand out nothing more of a round."""
    with store.write() as study:
        study.crowd_rounds.close(round_id)
        study.audit.record("crowd round closed", actor=actor, round=round_id)


def _asked_labels(
    study: Transaction, request: RoundRequest, taxonomy: Taxonomy
) -> dict[ImageKey, tuple[str, ...]]:
    datasets = _datasets(study, request.datasets)
    pools = [name for name in datasets if name in study.pools.names()]
    if pools and request.labels is not LabelChoice.TARGET:
        raise RefusedError(LABELS_OF_POOL)
    targets = study.crowd_rounds.targets(datasets, sampled=request.sampled)
    if pools:
        targets = without_asked_candidates(study, targets, pools)
    if request.reference is not None:
        targets |= reference_images_to_ask(
            study, request.reference, _classes_of(study, pools), seed=request.seed
        )
    classify = request.task is CrowdTask.CLASSIFY
    if request.labels is LabelChoice.TARGET:
        if classify:
            raise RefusedError(LABELS_OF_CLASSIFY)
        return {image: (target,) for image, target in targets.items()}
    if request.labels is LabelChoice.CANDIDATE:
        if not classify:
            raise RefusedError(LABELS_OF_CONTAINS)
        return _candidate_labels(study, targets)
    ranked = _ranked_labels(study, datasets, request.models, taxonomy.class_wnids)
    if not ranked:
        raise RefusedError(NO_MODELS)
    return {
        image: potential_labels(target, ranked.get(image, ())) for image, target in targets.items()
    }


def _classes_of(study: Transaction, pools: Sequence[str]) -> frozenset[str]:
    return frozenset(study.crowd_rounds.targets(pools, sampled=False).values())


def _candidate_labels(
    study: Transaction, targets: Mapping[ImageKey, str]
) -> dict[ImageKey, tuple[str, ...]]:
    """Return the candidate labels of the images that the frequencies don't decide."""
    statuses = study.crowd.statuses()
    found = {
        image: labels
        for image, labels in study.crowd.candidate_labels().items()
        if image in targets and statuses.get(image) is AnnotationStatus.FOLLOW_UP
    }
    if not found:
        raise RefusedError(NO_CANDIDATES)
    return found


def _datasets(study: Transaction, wanted: Sequence[str]) -> tuple[str, ...]:
    known = {dataset.name: dataset for dataset in study.datasets.all()}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise RefusedError(f"The study has no dataset '{unknown[0]}'.")
    evaluation = [d.name for d in known.values() if d.role is DatasetRole.EVALUATION]
    if not wanted and not evaluation:
        raise RefusedError(NO_EVALUATION_DATASET)
    return tuple(wanted or evaluation)


def _ranked_labels(
    study: Transaction,
    datasets: Sequence[str],
    models: Sequence[str] | None,
    wnids: Sequence[str],
) -> dict[ImageKey, list[list[str]]]:
    """Return the labels of each model on each image, best first."""
    ranked: dict[ImageKey, list[list[str]]] = {}
    names = {
        dataset: [image.name for image in study.model_predictions.images(dataset)]
        for dataset in datasets
    }
    for stored in study.model_predictions.all():
        if stored.dataset not in names or (models is not None and stored.model not in models):
            continue
        for name, labels in zip(names[stored.dataset], stored.predictions.labels, strict=True):
            known = [wnids[label] for label in labels.tolist() if label != NO_LABEL]
            ranked.setdefault(ImageKey(stored.dataset, name), []).append(known)
    return ranked


def _positives(grid: PlannedGrid) -> int:
    return sum(shown.role is GridRole.POSITIVE for shown in grid.images)
