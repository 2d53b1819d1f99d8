"""Create and extend the plan of a review: what is judged, by whom, and how long it takes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from labeler import __version__
from labeler.app.guide.study_guide import current_guide
from labeler.app.review.leak_text import leak_lines
from labeler.app.time_text import format_duration
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.hash_order import validated_seed
from labeler.core.review.blinding import ImageLabelPair, pool_pairs
from labeler.core.review.decoy_mix import DecoyMix
from labeler.core.review.decoys import DecoyCandidates
from labeler.core.review.leak import (
    LabelSource,
    LabelSources,
    LeakStatement,
    PlanContents,
    leak_statement,
    stated_sources,
)
from labeler.core.review.plan import (
    PlannedReview,
    ReviewPlanDraft,
    ReviewPlanRequest,
    count_single_source_images,
    draft_review_plan,
    final_pairs,
    initial_pairs,
)
from labeler.core.study.entities import Role, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.core.text import count_noun
from labeler.store.review.plans import PlanSize, StoredPlan
from labeler.store.study_store import StudyStore, Transaction

PLAN_COLUMNS = (
    "Planned",
    "Review",
    "Labels added",
    "Each image to",
    "Repeats",
    "Mixed in",
    "Decoys",
    "Seed",
)


def plan_rows(plans: Iterable[StoredPlan]) -> list[tuple[str, ...]]:
    """Return a row for each plan and extension, latest first."""
    return [
        (
            f"{datetime.fromisoformat(plan.made_at).astimezone():%Y-%m-%d %H:%M:%S}",
            plan.stage.value,
            f"{plan.pairs:,}",
            f"{plan.overlap:,}",
            _share(plan.repeats),
            _mixed_in(plan),
            f"{plan.decoys:,}",
            str(plan.seed),
        )
        for plan in reversed(tuple(plans))
    ]


def last_plan(plans: Iterable[StoredPlan], stage: Stage) -> StoredPlan | None:
    return next((plan for plan in reversed(tuple(plans)) if plan.stage is stage), None)


def _share(part: float) -> str:
    return f"{100 * part:.3g} %" if part else "none"


def _mixed_in(plan: StoredPlan) -> str:
    """Describe what only a final review has: models' labels, and repeated judged labels."""
    if plan.stage is not Stage.FINAL:
        return "–"
    again = f", {_share(plan.again)} again" if plan.again else ""
    return f"{plan.model_seeds:,} of models{again}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """The lead's settings; a seed of None means the study's.

    `leak` is how far a cue may move the probability of a source from its base rate; decoys are
    added to keep to it. None is a plan without decoys.
    """

    stage: Stage
    seed: int | None = None
    reviewers: tuple[str, ...] = ()
    overlap: int = 1
    model_seeds: int = 1
    again: float = 0.0
    repeats: float = 0.0
    leak: float | None = None
    sample_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReport:
    """The additions to the plan and its total size.

    `one_source` counts images of a final review with labels of only humans or only models.
    `pace_ms` is the median time of a judgement so far, or None. `claimed` are planned decoys that
    someone has proposed since.
    """

    draft: ReviewPlanDraft
    size: PlanSize
    extended: bool
    one_source: int
    pace_ms: int | None
    leak: LeakStatement
    claimed: frozenset[ImageLabelPair] = frozenset()

    @property
    def takes_ms(self) -> int | None:
        return None if self.pace_ms is None else self.pace_ms * self.draft.total


def plan_review(store: StudyStore, settings: PlanSettings) -> PlanReport:
    """Create or extend the stage's plan; planned or judged labels are not planned again.

    A large plan takes seconds to compute, while others go on working. If they changed something
    that matters, the plan is computed again before it is stored.
    """
    with store.read() as study:
        basis = study.review.sources.state()
        report = _report(store, study, settings)
    with store.write() as study:
        if study.review.sources.state() != basis:
            report = _report(store, study, settings)
        if report.claimed:
            study.review.plans.claim(settings.stage, report.claimed)
        if report.draft.total:
            study.review.plans.keep(report.draft, program_version=__version__)
            _record(study, report.draft)
    return report


def preview_plan(store: StudyStore, settings: PlanSettings) -> PlanReport:
    """Return what would be added to the plan; nothing is stored."""
    with store.read() as study:
        return _report(store, study, settings)


def _report(store: StudyStore, study: Transaction, settings: PlanSettings) -> PlanReport:
    if settings.stage is Stage.FINAL:
        _require_locked_evaluation(study)
    plans = study.review.plans
    request = _request(study, settings, seed=store.identity.seed)
    planned = plans.planned(settings.stage)
    sources = _sources(study)
    pairs, one_source = _pairs_to_plan(study, request, settings, planned.pairs, sources)
    other = plans.planned(_OTHER_STAGE[settings.stage])
    draft = draft_review_plan(
        request,
        pairs | planned.pairs,
        planned=planned,
        known=_known(other),
        mix=_decoy_mixer(study, store.taxonomy, request, sources, other.decoys),
    )
    if not draft.total and not planned.pairs:
        raise _nothing(settings.stage)
    return PlanReport(
        draft=draft,
        size=_size(draft, planned),
        extended=bool(planned.pairs),
        one_source=one_source,
        pace_ms=plans.pace_ms(settings.stage) or plans.pace_ms(),
        leak=leak_statement(
            draft.contents, stated_sources(settings.stage, sources), decoys=draft.decoys
        ),
        claimed=planned.decoys & pool_pairs(*sources.values()),
    )


_OTHER_STAGE = {Stage.INITIAL: Stage.FINAL, Stage.FINAL: Stage.INITIAL}
assert set(_OTHER_STAGE) == set(Stage)


def _sources(study: Transaction) -> LabelSources:
    sources = study.review.sources
    return {
        LabelSource.TARGET: frozenset(ImageLabelPair(*item) for item in sources.targets().items()),
        LabelSource.MODEL: sources.first_predictions(),
        LabelSource.HUMAN: sources.human_answers(),
    }


def _known(other: PlannedReview) -> dict[str, frozenset[ImageLabelPair]]:
    """Return what each reviewer is asked in the other stage."""
    labels = defaultdict(list)
    for pair in other.pairs:
        labels[pair.image].append(pair)
    known: dict[str, set[ImageLabelPair]] = defaultdict(set)
    for image, codes in other.reviewers.items():
        for code in codes:
            known[code].update(labels[image])
    return {code: frozenset(pairs) for code, pairs in known.items()}


def _decoy_mixer(
    study: Transaction,
    taxonomy: Taxonomy,
    request: ReviewPlanRequest,
    sources: LabelSources,
    earlier: frozenset[ImageLabelPair],
) -> Callable[[PlanContents], frozenset[ImageLabelPair]] | None:
    limit = request.leak
    if limit is None:
        return None
    candidates = DecoyCandidates(
        taxonomy=taxonomy,
        guide_pairs=current_guide(study).pairs(),
        proposals=pool_pairs(*sources.values()),
        seed=request.seed,
    )

    def mix(contents: PlanContents) -> frozenset[ImageLabelPair]:
        mixed = DecoyMix(contents, candidates, earlier=earlier, seed=request.seed)
        return mixed.decoys(stated_sources(request.stage, sources), limit=limit)

    return mix


def _size(draft: ReviewPlanDraft, planned: PlannedReview) -> PlanSize:
    """Return the size of the plan including the draft."""
    pairs = planned.pairs | set(draft.pairs)
    before = {code for codes in planned.reviewers.values() for code in codes}
    return PlanSize(
        pairs=len(pairs),
        images=len({pair.image for pair in pairs}),
        reviewers=len(before | {visit.reviewer for visit in draft.visits}),
    )


def _nothing(stage: Stage) -> RefusedError:
    if stage is Stage.INITIAL:
        return RefusedError("There are no labels to judge. Add an evaluation dataset first.")
    return RefusedError(
        "There are no labels to judge: every human answer has been judged, or there are none. "
        "You can have a share of the judged labels judged again.",
        by_command="Use `--again 0.1` for a tenth of them.",
    )


def _require_locked_evaluation(study: Transaction) -> None:
    facts = study.phases.facts()
    if facts.sample_images and facts.states[Phase.EVALUATE] is not PhaseState.LOCKED:
        raise RefusedError(
            "The final review judges the answers of the evaluation, which can still change. "
            "Lock the evaluation first.",
            by_command="Use `labeler phase STUDY lock evaluate`.",
        )


def _request(study: Transaction, settings: PlanSettings, *, seed: int) -> ReviewPlanRequest:
    first = study.review.plans.seed_of(settings.stage)
    known = tuple(p.code for p in study.participants.with_role(Role.REVIEWER))
    for code in settings.reviewers:
        if code not in known:
            raise RefusedError(
                f"'{code}' is not a reviewer. The reviewers are: {', '.join(known) or 'none'}."
            )
    return ReviewPlanRequest(
        stage=settings.stage,
        seed=_seed(settings.seed, first, seed),
        reviewers=tuple(dict.fromkeys(settings.reviewers)) or known,
        overlap=settings.overlap,
        model_seeds=settings.model_seeds,
        again=settings.again,
        repeats=settings.repeats,
        leak=settings.leak,
    )


def _seed(chosen: int | None, first: int | None, own: int) -> int:
    """Return the chosen seed, else that of the plan to extend, else the study's."""
    if chosen is not None:
        return validated_seed(chosen)
    return own if first is None else first


def _pairs_to_plan(
    study: Transaction,
    request: ReviewPlanRequest,
    settings: PlanSettings,
    planned: frozenset[ImageLabelPair],
    proposed: LabelSources,
) -> tuple[frozenset[ImageLabelPair], int]:
    """Return the unjudged pairs of the stage, and the number of images with only one source."""
    sources = study.review.sources
    models = proposed[LabelSource.MODEL]
    if request.stage is Stage.INITIAL:
        targets = sources.targets(sample_only=settings.sample_only)
        return initial_pairs(targets, models) - sources.judged(Stage.INITIAL), 0
    human = proposed[LabelSource.HUMAN]
    judged = sources.judged(Stage.INITIAL)
    asked = final_pairs(request, human=human, models=models, judged=judged, planned=planned)
    asked -= sources.judged(Stage.FINAL) - judged
    return asked, count_single_source_images(asked | planned, human=human, models=models)


def _record(study: Transaction, draft: ReviewPlanDraft) -> None:
    request = draft.request
    study.audit.record(
        "review planned",
        stage=request.stage,
        seed=request.seed,
        overlap=request.overlap,
        reviewers=request.reviewers,
        model_seeds=request.model_seeds,
        again=request.again,
        repeats=request.repeats,
        leak=request.leak,
        decoys=len(draft.decoys),
        pairs=len(draft.pairs),
        judgements=draft.total,
    )


def plan_lines(report: PlanReport, *, preview: bool = False) -> tuple[str, ...]:
    """Return sentences on what was planned, or with `preview` would be."""
    draft = report.draft
    contents = (
        f"{count_noun(report.size.pairs, 'label')} on {count_noun(report.size.images, 'image')}"
    )
    if not draft.total:
        return (f"Nothing to add: the {draft.request.stage} review already includes {contents}.",)
    return (
        f"{_done(report, preview)} the {draft.request.stage} review "
        f"(seed {draft.request.seed}): {contents}.",
        *_asked(report),
        *_time(report),
        *_one_source(report),
        *leak_lines(report.leak, limit=draft.request.leak, total=draft.total),
    )


def _done(report: PlanReport, preview: bool) -> str:
    if preview:
        return "This would extend" if report.extended else "This would plan"
    return "Extended" if report.extended else "Planned"


def _asked(report: PlanReport) -> Iterator[str]:
    draft = report.draft
    each = ", ".join(f"{code} {count:,}" for code, count in sorted(draft.judgements.items()))
    yield f"It needs {count_noun(draft.total, 'judgement')} more: {each}."
    if draft.repeats:
        yield f"{count_noun(len(draft.repeats), 'of them is a repeat', 'of them are repeats')}."


def _time(report: PlanReport) -> Iterator[str]:
    if report.takes_ms is None or report.pace_ms is None:
        yield "The required time can be estimated after the first verdicts."
    else:
        pace = f"{report.pace_ms / 1000:.1f} s per judgement"
        duration = format_duration(report.takes_ms)
        yield f"At the current pace ({pace}), this takes {duration} in total."


def _one_source(report: PlanReport) -> Iterator[str]:
    if report.one_source:
        images = count_noun(report.one_source, "image has", "images have")
        yield f"{images} labels from one source only, either humans or models."
