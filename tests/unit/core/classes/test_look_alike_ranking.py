"""Look-alikes are ranked by the guide, then by mistakes, then by confusions, then by siblings."""

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.classes.look_alike_ranking import (
    MIN_MISTAKES,
    LookAlikeEvidence,
    LookAlikeRanking,
    RankedLookAlike,
    RankReason,
)
from labeler.core.classes.taxonomy import load_default

TAXONOMY = load_default()
BEAVER, MARMOT, HAMSTER, PORCUPINE = "n02363005", "n02361337", "n02342885", "n02346627"
OTTER, TIGER, CANDLE = "n02444819", "n02129604", "n02948072"
_SOME = st.sampled_from(TAXONOMY.class_wnids[:40])
_PAIRS = st.dictionaries(st.tuples(_SOME, _SOME), st.integers(0, 5), max_size=30)


def ranked(wnid: str, evidence: LookAlikeEvidence) -> tuple[RankedLookAlike, ...]:
    return LookAlikeRanking(TAXONOMY, evidence).of(wnid, count=12)


def test_each_source_ranks_above_the_next() -> None:
    evidence = LookAlikeEvidence(
        guide_pairs={(TIGER, BEAVER)},
        mistakes={(BEAVER, OTTER): MIN_MISTAKES},
        confusions={(CANDLE, BEAVER): 500},
    )
    found = [(each.wnid, each.reason) for each in ranked(BEAVER, evidence)]
    assert found == [
        (TIGER, RankReason.GUIDE),
        (OTTER, RankReason.CONFUSED),
        (CANDLE, RankReason.CONFUSED),
        (HAMSTER, RankReason.SIBLING),
        (PORCUPINE, RankReason.SIBLING),
        (MARMOT, RankReason.SIBLING),
    ]


def test_a_weaker_source_orders_what_a_stronger_one_leaves_equal() -> None:
    evidence = LookAlikeEvidence(
        guide_pairs={(HAMSTER, BEAVER), (BEAVER, MARMOT)}, confusions={(MARMOT, BEAVER): 1}
    )
    assert [each.wnid for each in ranked(BEAVER, evidence)][:2] == [MARMOT, HAMSTER]


def test_a_single_mistake_is_no_pattern_but_one_in_each_direction_is() -> None:
    single = LookAlikeEvidence(mistakes={(BEAVER, OTTER): 1})
    assert OTTER not in {each.wnid for each in ranked(BEAVER, single)}
    both = LookAlikeEvidence(mistakes={(BEAVER, OTTER): 1, (OTTER, BEAVER): 1})
    assert ranked(BEAVER, both)[0] == RankedLookAlike(OTTER, RankReason.CONFUSED)


def test_a_class_without_evidence_and_siblings_has_no_look_alikes() -> None:
    assert not ranked(CANDLE, LookAlikeEvidence()) or all(
        each.reason is RankReason.SIBLING for each in ranked(CANDLE, LookAlikeEvidence())
    )


@settings(max_examples=60)
@given(_SOME, _PAIRS, _PAIRS, _PAIRS)
def test_reasons_never_get_stronger_down_the_list(
    wnid: str,
    guide: dict[tuple[str, str], int],
    mistakes: dict[tuple[str, str], int],
    confusions: dict[tuple[str, str], int],
) -> None:
    evidence = LookAlikeEvidence(guide_pairs=guide, mistakes=mistakes, confusions=confusions)
    found = ranked(wnid, evidence)
    order = [list(RankReason).index(each.reason) for each in found]
    wnids = [each.wnid for each in found]
    assert order == sorted(order)
    assert len(set(wnids)) == len(wnids)
    assert wnid not in wnids
