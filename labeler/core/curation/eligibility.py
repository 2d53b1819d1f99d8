"""Which candidates may be sampled, and for the others the first reason why not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from labeler.core.curation.entities import Candidate, DuplicateFindings, Exclusion
from labeler.core.study.entities import ImageKey

# A candidate's frequency counts after this many answers.
MIN_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Eligibility:
    """The eligible candidates by class, and why each other one is excluded."""

    eligible: Mapping[str, tuple[Candidate, ...]]
    excluded: Mapping[ImageKey, Exclusion]

    @property
    def images(self) -> frozenset[ImageKey]:
        return frozenset(each.image for group in self.eligible.values() for each in group)


def judge_candidates(
    candidates: Iterable[Candidate],
    findings: DuplicateFindings | None = None,
    *,
    min_shown: int = MIN_SHOWN,
) -> Eligibility:
    """Divide candidates; a class without an eligible one has an empty entry."""
    found = findings or DuplicateFindings()
    eligible: dict[str, list[Candidate]] = {}
    excluded: dict[ImageKey, Exclusion] = {}
    for each in candidates:
        group = eligible.setdefault(each.label, [])
        reason = exclusion(each, found, min_shown=min_shown)
        if reason is None:
            group.append(each)
        else:
            excluded[each.image] = reason
    return Eligibility({label: tuple(eligible[label]) for label in sorted(eligible)}, excluded)


def exclusion(
    candidate: Candidate, findings: DuplicateFindings, *, min_shown: int = MIN_SHOWN
) -> Exclusion | None:
    """Return the first reason why a candidate isn't eligible, or None."""
    if candidate.rejected is not None:
        return Exclusion.REJECTED
    if candidate.shown < min_shown:
        return Exclusion.TOO_FEW_ANSWERS
    if candidate.image in findings.losers:
        return Exclusion.NEAR_DUPLICATE
    if findings.has_distances and candidate.image in findings.too_shallow:
        return Exclusion.NOT_REVIEWED
    return None


def can_become_eligible(candidate: Candidate, findings: DuplicateFindings) -> bool:
    """Return whether answers or a review could still make a candidate eligible."""
    return candidate.rejected is None and candidate.image not in findings.losers
