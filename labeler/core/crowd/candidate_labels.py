"""Which labels of an image enter the classify task, and what is known about its target."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.crowd.entities import AnnotationStatus, LabelReason, SelectionFrequency

Frequencies = Mapping[str, SelectionFrequency]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRules:
    """The numbers in the rules of Tsipras et al. 2020."""

    frequent: Fraction = Fraction(1, 2)
    distant_edges: int = 5
    enough_labels: int = 5
    most_labels: int = 6
    unselected_target: Fraction = Fraction(1, 8)
    quorum: int = 6
    clear_factor: int = 2


@dataclass(frozen=True, slots=True)
class CandidateLabel:
    """A label that annotators of the classify task are shown."""

    label: str
    reason: LabelReason


def candidate_labels(
    target: str, frequencies: Frequencies, taxonomy: Taxonomy, rules: CandidateRules | None = None
) -> tuple[CandidateLabel, ...]:
    """Return an image's candidate labels, by frequency and then wnid."""
    rules = rules or CandidateRules()
    # Whole numbers over a common denominator: as exact as fractions, and compared much faster.
    one = lcm(*(frequency.shown for frequency in frequencies.values()))
    values = {label: f.selected * (one // f.shown) for label, f in frequencies.items()}
    frequent = rules.frequent * one
    reasons = {target: LabelReason.TARGET}
    selected = {label: value for label, value in values.items() if value > 0 and label != target}
    for label, value in selected.items():
        if value * frequent.denominator >= frequent.numerator:
            reasons[label] = LabelReason.FREQUENT
        elif taxonomy.distance(label, target) > rules.distant_edges:
            reasons[label] = LabelReason.DISTANT
    if len(reasons) < rules.enough_labels:
        reasons = {**dict.fromkeys(selected, LabelReason.FURTHER), **reasons}
    kept = _limited(reasons, values, target, rules, rules.unselected_target * one)
    ordered = sorted(kept, key=lambda label: (-values.get(label, 0), label))
    return tuple(CandidateLabel(label, reasons[label]) for label in ordered)


def _limited(
    reasons: Mapping[str, LabelReason],
    values: Mapping[str, int],
    target: str,
    rules: CandidateRules,
    unselected: Fraction,
) -> set[str]:
    """Keep the target and the most frequent others, and those as frequent as the target."""
    if len(reasons) <= rules.most_labels:
        return set(reasons)
    others = sorted(reasons.keys() - {target}, key=lambda label: (-values[label], label))
    kept = {target, *others[: rules.most_labels - 1]}
    of_target = values.get(target)
    if of_target is not None and of_target > unselected:
        kept.update(label for label in others if values[label] >= of_target)
    return kept


def image_status(
    target: str, frequencies: Frequencies, rules: CandidateRules | None = None
) -> AnnotationStatus:
    """Return whether the target needs the classify task, and if not, why not."""
    rules = rules or CandidateRules()
    of_target = frequencies.get(target)
    if of_target is not None and of_target.selected == 0:
        return AnnotationStatus.MISLABELED
    if of_target is None or of_target.shown < rules.quorum:
        return AnnotationStatus.TOO_FEW
    rivals = (
        frequency
        for label, frequency in frequencies.items()
        if label != target and frequency.shown >= rules.quorum
    )
    # The comparison of the fractions, multiplied out.
    if all(
        of_target.selected * rival.shown > rules.clear_factor * rival.selected * of_target.shown
        for rival in rivals
    ):
        return AnnotationStatus.CLEAR
    return AnnotationStatus.FOLLOW_UP
