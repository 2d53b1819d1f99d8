"""Build a revision of a dataset from a candidate pool, or preview it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from labeler.app.curation.duplicate_findings import duplicate_findings
from labeler.core.curation.eligibility import MIN_SHOWN, Eligibility, judge_candidates
from labeler.core.curation.entities import (
    Candidate,
    DuplicateFindings,
    Exclusion,
    Revision,
    Strategy,
)
from labeler.core.curation.pools import PoolClass, pool_classes
from labeler.core.curation.revisions import BuiltRevision, build_revision
from labeler.core.curation.strategies import (
    MIN_REFERENCES,
    PER_CLASS,
    THRESHOLD,
    SamplingRules,
)
from labeler.core.errors import RefusedError
from labeler.core.hash_order import validated_seed
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore, Transaction

NAME_RULE = "Enter a name of visible characters, without spaces at either end."
NEEDS_REFERENCE = (
    "The strategy matched-frequency compares with a reference dataset. Choose one whose images "
    "annotators have answered about."
)
EMPTY_POOL = "The pool has no candidates. Add some first."
NO_DISTANCES = (
    "No near-duplicates were searched in this study, so no review of them was required. Only "
    "images with the same source or content were compared."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """What to build: a new revision of `dataset`, which keeps images of its `parent`."""

    dataset: str
    pool: str
    strategy: Strategy
    seed: int
    per_class: int = PER_CLASS
    reference: str | None = None
    parent: int | None = None
    threshold: Fraction = THRESHOLD
    thresholds: Mapping[str, Fraction] = field(default_factory=dict)
    min_shown: int = MIN_SHOWN
    min_references: int = MIN_REFERENCES

    @property
    def rules(self) -> SamplingRules:
        return SamplingRules(
            strategy=self.strategy,
            seed=self.seed,
            per_class=self.per_class,
            threshold=self.threshold,
            thresholds=self.thresholds,
            min_references=self.min_references,
        )

    def parameters(self, *, classes: int, findings: DuplicateFindings) -> dict[str, object]:
        """Return what is stored with the revision; fractions are written as such."""
        found: dict[str, object] = {
            "pool": self.pool,
            "per_class": self.per_class,
            "min_shown": self.min_shown,
            "classes": classes,
            "near_duplicates_searched": findings.has_distances,
        }
        if self.strategy is Strategy.THRESHOLD:
            found["threshold"] = str(self.threshold)
            found["thresholds"] = {k: str(v) for k, v in sorted(self.thresholds.items())}
        if self.strategy is Strategy.MATCHED_FREQUENCY:
            found |= {"reference": self.reference, "min_references": self.min_references}
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPreview:
    """What a request leads to: the images, what is missing, and why candidates are left out.

    `labels` has the class of every candidate.
    """

    request: BuildRequest
    built: BuiltRevision
    eligibility: Eligibility
    classes: tuple[PoolClass, ...]
    findings: DuplicateFindings
    labels: Mapping[ImageKey, str]
    reference_images: Mapping[str, int] = field(default_factory=dict)

    @property
    def exclusions(self) -> dict[Exclusion, int]:
        """Return how many candidates are excluded for each reason, in the order of the rules."""
        counts = Counter(self.eligibility.excluded.values())
        return {reason: counts[reason] for reason in Exclusion if counts[reason]}

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.findings.has_distances else (NO_DISTANCES,)


def preview_build(store: StudyStore, request: BuildRequest) -> BuildPreview:
    """Work out a revision without storing it."""
    with store.read() as study:
        return _preview(study, request, classes=frozenset(store.taxonomy.class_wnids))


def build_dataset(
    store: StudyStore, request: BuildRequest, *, actor: str = "lead"
) -> tuple[Revision, BuildPreview]:
    """Build and store a revision; an incomplete one is stored and marked."""
    classes = frozenset(store.taxonomy.class_wnids)
    with store.write() as study:
        preview = _preview(study, request, classes=classes)
        built = preview.built
        revision = study.built_datasets.add(
            dataset=request.dataset,
            parent=request.parent,
            strategy=request.strategy,
            parameters=request.parameters(classes=len(built.draws), findings=preview.findings),
            seed=request.seed,
            state=built.state,
            images=built.images,
            removed=built.removed,
        )
        study.audit.record(
            "dataset built",
            actor=actor,
            dataset=request.dataset,
            revision=revision.revision,
            images=len(built.images),
            missing=built.missing,
        )
    return revision, preview


def pool_overview(
    study: Transaction, pool: str, *, per_class: int = PER_CLASS, min_shown: int = MIN_SHOWN
) -> tuple[PoolClass, ...]:
    """Return what each class of a pool has and still needs."""
    study.pools.require(pool)
    candidates = study.pools.candidates(pool)
    judged = judge_pool(study, pool, candidates, min_shown=min_shown)[0]
    return pool_classes(candidates, judged.images, per_class=per_class, min_shown=min_shown)


def judge_pool(
    study: Transaction, pool: str, candidates: list[Candidate], *, min_shown: int = MIN_SHOWN
) -> tuple[Eligibility, DuplicateFindings]:
    """Return which candidates are eligible, with what near-duplicates contribute to it."""
    findings = duplicate_findings(study, pool, candidates)
    return judge_candidates(candidates, findings, min_shown=min_shown), findings


def _preview(study: Transaction, request: BuildRequest, *, classes: frozenset[str]) -> BuildPreview:
    _require_valid(study, request, classes)
    candidates = study.pools.candidates(request.pool)
    if not candidates:
        raise RefusedError(EMPTY_POOL)
    judged, findings = judge_pool(study, request.pool, candidates, min_shown=request.min_shown)
    references = {}
    if request.strategy is Strategy.MATCHED_FREQUENCY:
        assert request.reference is not None, "it was required"
        references = study.pools.reference_frequencies(
            request.reference, min_shown=request.min_shown
        )
    parent = study.built_datasets.images(request.dataset, request.parent) if request.parent else ()
    built = build_revision(judged, request.rules, references=references, parent=parent)
    return BuildPreview(
        request=request,
        built=built,
        eligibility=judged,
        classes=pool_classes(
            candidates, judged.images, per_class=request.per_class, min_shown=request.min_shown
        ),
        findings=findings,
        labels={each.image: each.label for each in candidates},
        reference_images={label: len(values) for label, values in references.items()},
    )


def _require_valid(study: Transaction, request: BuildRequest, classes: frozenset[str]) -> None:
    name = request.dataset
    if not name or name != name.strip() or not name.isprintable():
        raise RefusedError(f"{name!r} can't be a dataset's name. {NAME_RULE}")
    validated_seed(request.seed)
    study.pools.require(request.pool)
    for label in sorted(request.thresholds):
        if label not in classes:
            raise RefusedError(f"'{label}' isn't the wnid of a class of the study.")
    for value in (request.threshold, *request.thresholds.values()):
        if not 0 <= value <= 1:
            raise RefusedError(f"{value} isn't a threshold; use a number from 0 to 1.")
    if request.parent is not None:
        study.built_datasets.revision(request.dataset, request.parent)
    if request.strategy is Strategy.MATCHED_FREQUENCY:
        if request.reference is None:
            raise RefusedError(NEEDS_REFERENCE, by_command="Use --reference DATASET.")
        if study.datasets.find(request.reference) is None:
            raise RefusedError(f"The study has no dataset '{request.reference}'.")
