"""How much of its job a guide does: the classes that have a page, the pairs that are told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.classes.taxonomy import Taxonomy
from labeler.guide.pages import Guide
from labeler.guide.pair_list import LookalikePair


@dataclass(frozen=True, slots=True)
class GuideCoverage:
    """What a guide covers: pages, classes, pairs; and of a list of pairs, how many."""

    pages: int
    covered: int
    classes: int
    told_apart: int
    listed: int
    listed_told_apart: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The numbers for a person to read."""
        listed = f"Of the listed look-alikes: {self.listed_told_apart:,} of {self.listed:,}."
        return (
            f"Classes with a page: {self.covered:,} of {self.classes:,}, on {self.pages:,} pages.",
            f"Pairs told apart: {self.told_apart:,}.",
            *([listed] if self.listed else ()),
        )


def guide_coverage(
    guide: Guide, *, taxonomy: Taxonomy, pairs: Sequence[LookalikePair] = ()
) -> GuideCoverage:
    """Count what the guide covers of the taxonomy, and of a list of look-alike pairs."""
    covered = {wnid for page in guide.pages for wnid in page.wnids if taxonomy.is_class(wnid)}
    told = frozenset(guide.pairs())
    return GuideCoverage(
        pages=len(guide.pages),
        covered=len(covered),
        classes=len(taxonomy.class_wnids),
        told_apart=len(told),
        listed=len(pairs),
        listed_told_apart=sum(listed.pair in told for listed in pairs),
    )
