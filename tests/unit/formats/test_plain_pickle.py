"""A pickle is data here, whatever it would like to be."""

import builtins
import collections
import os
import pickle
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.errors import EnvironmentFault, InputError
from labeler.formats.plain_pickle import read_plain

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def written(folder: Path, content: bytes) -> Path:
    file = folder / "human_accuracy.pickle"
    file.write_bytes(content)
    return file


def read(folder: Path, value: object, *, protocol: int = 4) -> object:
    return read_plain(written(folder, pickle.dumps(value, protocol=protocol)))


@settings(max_examples=40)
@given(value=PLAIN, protocol=st.integers(2, pickle.HIGHEST_PROTOCOL))
def test_plain_data_comes_back(
    tmp_path_factory: pytest.TempPathFactory, value: object, protocol: int
) -> None:
    assert read(tmp_path_factory.mktemp("pickle"), value, protocol=protocol) == value


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_numbers_and_arrays_of_numpy_become_pythons_own(tmp_path: Path, protocol: int) -> None:
    value = {
        "number": np.float32(0.5),
        "count": np.int64(7),
        "grid": np.asfortranarray([[1, 2, 3], [4, 5, 6]], dtype=">i4"),
        "words": np.array(["marmot", "beaver"]),
        "flags": np.array([True, False]),
    }
    assert read(tmp_path, value, protocol=protocol) == {
        "number": 0.5,
        "count": 7,
        "grid": [[1, 2, 3], [4, 5, 6]],
        "words": ["marmot", "beaver"],
        "flags": [True, False],
    }


def test_the_containers_that_programs_like_become_dictionaries(tmp_path: Path) -> None:
    found = read(tmp_path, collections.OrderedDict(a=collections.defaultdict(list, b=[{1}])))
    assert found == {"a": {"b": [frozenset({1})]}}


class Calls:
    """Pickled as a call of whatever it is given."""

    def __init__(self, called: Any, *arguments: Any) -> None:
        self._call = (called, arguments)

    def __reduce__(self) -> Any:
        return self._call


HOSTILE = {
    "a command": lambda trace: Calls(os.system, f"touch {trace}"),
    "a process": lambda trace: Calls(subprocess.run, ["touch", str(trace)]),
    "code": lambda trace: Calls(exec, f"open({str(trace)!r}, 'w')"),
    "an expression": lambda trace: Calls(eval, f"open({str(trace)!r}, 'w')"),
    "a file": lambda trace: Calls(open, str(trace), "w"),
    "an import": lambda _trace: Calls(builtins.__import__, "antigravity"),
    "an attribute": lambda _trace: Calls(getattr, "", "join"),
    "a class": lambda _trace: Calls(pickle.Unpickler),
    "an array of objects": lambda trace: np.array([Calls(os.system, f"touch {trace}")]),
    "an array of plain objects": lambda _trace: np.array([{}, None], dtype=object),
    "a number of objects": lambda _trace: Calls(np._core.multiarray.scalar, np.dtype("O"), b"x"),
    "an array with named columns": lambda _trace: np.zeros(2, dtype=[("a", "i4"), ("b", "O")]),
    "memory": lambda _trace: Calls(bytearray, 10**13),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("protocol", [2, 5])
def test_a_hostile_pickle_is_refused_and_does_nothing(
    tmp_path: Path, name: str, protocol: int
) -> None:
    trace = tmp_path / "trace"
    with pytest.raises(InputError, match=r"human_accuracy\.pickle: this pickle can't be read: "):
        read(tmp_path, {"annot_data": HOSTILE[name](trace)}, protocol=protocol)
    assert not trace.exists()


def test_nothing_can_be_put_into_what_is_admitted(tmp_path: Path) -> None:
    """A state for a class itself, which an unpickler would write into it."""
    content = b"\x80\x04" + b"cnumpy\nndarray\n" + b"}(\x8c\x07__new__\x8c\x05gone!u" + b"b."
    with pytest.raises(InputError):
        read_plain(written(tmp_path, content))
    assert read(tmp_path, np.arange(3)) == [0, 1, 2]


def test_what_stands_in_itself_is_refused(tmp_path: Path) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InputError, match="damaged"):
        read(tmp_path, endless)


def test_what_stands_everywhere_is_read_once(tmp_path: Path) -> None:
    value: list[Any] = ["x"]
    for _ in range(60):
        value = [value, value]
    found = read(tmp_path, value)
    for _ in range(60):
        assert isinstance(found, list)
        found = found[1]
    assert found == ["x"]


@settings(max_examples=60)
@given(content=st.binary(max_size=60), cut=st.integers(0, 400))
def test_a_damaged_file_raises_nothing_but_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("pickle")
    whole = pickle.dumps({"a": list(range(60)), "b": np.arange(5)})
    for damaged in (content, whole[:cut] + content):
        with suppress(InputError):
            read_plain(written(folder, damaged))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="No such file"):
        read_plain(tmp_path / "gone.pickle")
