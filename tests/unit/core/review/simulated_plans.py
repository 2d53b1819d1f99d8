"""Small simulated studies, planned over both stages and an extension, as reviewers see them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labeler.core.classes.look_alikes import find_look_alikes
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.review.blinding import ImageLabelPair, ReviewVisit, label_order, pool_pairs
from labeler.core.review.decoy_mix import DecoyMix
from labeler.core.review.decoys import DecoyCandidates
from labeler.core.review.leak import (
    LabelSource,
    LeakStatement,
    PlanContents,
    leak_statement,
    stated_sources,
)
from labeler.core.review.plan import (
    PlannedReview,
    ReviewPlanDraft,
    ReviewPlanRequest,
    draft_review_plan,
    final_pairs,
    initial_pairs,
)
from labeler.core.study.entities import ImageKey, Stage

Pairs = frozenset[ImageLabelPair]


@dataclass(frozen=True, slots=True)
class ReviewerView:
    """One image on a reviewer's screen, with its labels in the order of the list."""

    image: ImageKey
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPlan:
    """One of a study's plans: what the reviewers see, the truth, and what the planner states."""

    name: str
    draft: ReviewPlanDraft
    sources: Mapping[LabelSource, Pairs]
    statement: LeakStatement
    # All visits of the stage so far, with those before an extension.
    visits: tuple[ReviewVisit, ...]

    @property
    def contents(self) -> PlanContents:
        return self.draft.contents

    def views(self, code: str) -> tuple[ReviewerView, ...]:
        """Return what a reviewer sees of this stage so far, in order."""
        own = sorted((v for v in self.visits if v.reviewer == code), key=lambda v: v.place)
        labels = self.contents.labels
        return tuple(
            ReviewerView(v.image, label_order(v.visit_id, [p.label for p in labels[v.image]]))
            for v in own
        )

    def given_by(self, source: LabelSource, view: ReviewerView) -> list[bool]:
        """Return for each label of a view whether the source proposed it: what is guessed."""
        given = self.sources[source]
        return [ImageLabelPair(view.image, label) in given for label in view.labels]


class SimulatedStudy:
    """Images with answers of models and humans; wrong answers are look-alikes of the target."""

    def __init__(self, taxonomy: Taxonomy, *, seed: int, images: int = 120) -> None:
        self._taxonomy, self._seed, self._random = taxonomy, seed, random.Random(seed)
        self._alike: dict[str, list[str]] = {}
        # Look-alikes of a class are targets themselves, as in a study of all classes.
        families = self._random.sample(taxonomy.class_wnids, 6)
        classes = sorted({c for wnid in families for c in (wnid, *self._look_alikes(wnid))})
        self.targets = {
            ImageKey("original", f"{number}.jpg"): self._random.choice(classes)
            for number in range(images)
        }
        self.models = pool_pairs(*(self._answers(0.75) for _model in range(3)))
        self.late = self._answers(0.6)
        self.humans = pool_pairs(*(self._answers(0.7) for _human in range(2)))

    def plans(
        self, *, leak: float | None, reviewers: int = 3, overlap: int = 2
    ) -> Iterator[SimulatedPlan]:
        """Return the plan of the initial review, its extension, and that of the final review."""
        codes = tuple("RSTUVW"[:reviewers])
        first = ReviewPlanRequest(
            stage=Stage.INITIAL, seed=self._seed, reviewers=codes, overlap=overlap, leak=leak
        )
        asked = initial_pairs(self.targets, self.models)
        initial = self._draft("initial", first, asked, models=self.models)
        yield initial
        before = _planned(initial.draft)
        models = self.models | self.late
        asked = initial_pairs(self.targets, models) | before.pairs
        extension = self._draft(
            "extension",
            first,
            asked,
            before=before,
            models=models,
            visits_before=initial.draft.visits,
        )
        yield extension
        whole = _planned(initial.draft, extension.draft)
        final = ReviewPlanRequest(
            stage=Stage.FINAL, seed=self._seed, reviewers=codes, overlap=overlap, leak=leak
        )
        judged = whole.pairs - whole.decoys
        asked = final_pairs(final, human=self.humans, models=models, judged=judged)
        known = {
            code: frozenset(p for p in whole.pairs if code in whole.reviewers[p.image])
            for code in codes
        }
        yield self._draft("final", final, asked, known=known, models=models, earlier=whole.decoys)

    def _draft(
        self,
        name: str,
        request: ReviewPlanRequest,
        pairs: Pairs,
        *,
        models: Pairs,
        before: PlannedReview | None = None,
        known: Mapping[str, Pairs] | None = None,
        earlier: Pairs = frozenset(),
        visits_before: Sequence[ReviewVisit] = (),
    ) -> SimulatedPlan:
        targets = frozenset(ImageLabelPair(*item) for item in self.targets.items())
        sources = stated_sources(
            request.stage,
            {
                LabelSource.TARGET: targets,
                LabelSource.MODEL: models,
                LabelSource.HUMAN: self.humans,
            },
        )
        limit = request.leak
        candidates = DecoyCandidates(
            taxonomy=self._taxonomy,
            guide_pairs=(),
            proposals=pool_pairs(targets, models, self.humans),
            seed=request.seed,
        )

        def mix(plan: PlanContents) -> Pairs:
            assert limit is not None
            mixed = DecoyMix(plan, candidates, earlier=earlier, seed=request.seed)
            return mixed.decoys(sources, limit=limit)

        draft = draft_review_plan(
            request, pairs, planned=before, known=known, mix=None if limit is None else mix
        )
        statement = leak_statement(draft.contents, sources, decoys=draft.decoys)
        return SimulatedPlan(
            name=name,
            draft=draft,
            sources=sources,
            statement=statement,
            visits=(*visits_before, *draft.visits),
        )

    def _answers(self, skill: float) -> Pairs:
        return frozenset(
            ImageLabelPair(image, self._answer(target, skill))
            for image, target in self.targets.items()
        )

    def _answer(self, target: str, skill: float) -> str:
        if self._random.random() < skill:
            return target
        return self._random.choice(self._look_alikes(target))

    def _look_alikes(self, wnid: str) -> list[str]:
        if wnid not in self._alike:
            found = find_look_alikes(
                wnid, taxonomy=self._taxonomy, guide_pairs=(), confusions={}, count=8
            )
            self._alike[wnid] = [each.wnid for each in found]
        return self._alike[wnid]


def _planned(*drafts: ReviewPlanDraft) -> PlannedReview:
    """Return what the drafts planned together."""
    reviewers: dict[ImageKey, tuple[str, ...]] = {}
    for draft in drafts:
        for visit in draft.visits:
            reviewers[visit.image] = (*reviewers.get(visit.image, ()), visit.reviewer)
    return PlannedReview(
        pairs=frozenset(pair for draft in drafts for pair in draft.pairs),
        decoys=frozenset(pair for draft in drafts for pair in draft.decoys),
        reviewers=reviewers,
    )
