"""A draw depends on the seed, the purpose and the thing itself, and on nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.errors import RefusedError
from labeler.core.hash_order import MAX_SEED, derived_seed, hash_key, shuffled, validated_seed

_SEEDS = st.integers(min_value=0, max_value=2**63 - 1)
_NAMES = st.lists(st.text(max_size=8), unique=True, max_size=30)


def _order(names: list[str], seed: int, purpose: str = "test") -> list[str]:
    return shuffled(names, seed=seed, purpose=purpose, key=lambda name: (name,))


@given(_NAMES, _SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(names: list[str], seed: int, random: object) -> None:
    others = list(names)
    random.shuffle(others)  # type: ignore[attr-defined]

    assert _order(names, seed) == _order(others, seed)


@given(_NAMES, st.text(max_size=8), _SEEDS)
def test_another_thing_leaves_the_order_of_the_rest_alone(
    names: list[str], newcomer: str, seed: int
) -> None:
    with_newcomer = _order([*names, newcomer] if newcomer not in names else names, seed)

    without = [name for name in with_newcomer if name in names]
    assert without == _order(names, seed)


def test_seeds_and_purposes_give_orders_of_their_own() -> None:
    names = [str(number) for number in range(50)]
    orders = [_order(names, 1), _order(names, 2), _order(names, 1, "another purpose")]

    assert all(sorted(order) == sorted(names) for order in orders)
    assert len({tuple(order) for order in orders}) == 3


def test_every_place_is_equally_likely_over_the_seeds() -> None:
    first = [_order(["a", "b", "c", "d"], seed)[0] for seed in range(4000)]

    assert all(900 < first.count(name) < 1100 for name in "abcd")


def test_parts_do_not_run_into_each_other() -> None:
    assert hash_key(1, "p", "ab", "c") != hash_key(1, "p", "a", "bc")
    assert hash_key(1, "p", "a") != hash_key(11, "p", "a")


@given(_SEEDS, st.text())
def test_a_derived_seed_fits_a_signed_64_bit_column(seed: int, part: str) -> None:
    assert 0 <= derived_seed(seed, "purpose", part) < 2**63


def test_the_same_numbers_come_out_on_every_machine() -> None:
    assert derived_seed(7, "order", "A") == 8251517156378344178
    assert hash_key(7, "sample", "val", "n01440764/a.JPEG").hex()[:16] == "502f25a4eea17868"
    assert "".join(_order(list("abcdefghij"), 2020)) == "djgheficab"


@pytest.mark.parametrize("seed", [-1, 2**31, 2**64])
def test_a_seed_that_no_database_can_keep_is_refused(seed: int) -> None:
    with pytest.raises(RefusedError, match=f"{seed} is not .* from 0 to 2,147,483,647"):
        validated_seed(seed)


@pytest.mark.parametrize("seed", [0, 2020, MAX_SEED])
def test_other_seeds_are_taken_as_they_are(seed: int) -> None:
    assert validated_seed(seed) == seed
