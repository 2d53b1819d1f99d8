"""A memory of what was used last."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.app.lru_cache import LruCache


@given(st.integers(1, 5), st.lists(st.tuples(st.booleans(), st.integers(0, 7))))
def test_it_holds_what_was_put_or_asked_for_last(
    capacity: int, uses: list[tuple[bool, int]]
) -> None:
    memory: LruCache[int, int] = LruCache(capacity)
    expected: list[int] = []
    for is_put, key in uses:
        if is_put:
            memory.put(key, key * 10)
        elif key in memory:
            assert memory[key] == key * 10
        else:
            continue
        expected = [*(k for k in expected if k != key), key][-capacity:]
        assert [k for k in range(8) if k in memory] == sorted(expected)
        assert len(memory) == len(expected)
