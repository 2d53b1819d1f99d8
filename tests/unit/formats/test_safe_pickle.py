"""A pickle is data here, whatever it would like to be."""

import collections
import importlib
import io
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.errors import EnvironmentFault, InputError
from labeler.formats.pickle_values import ALLOWED_GLOBALS as NAMES
from labeler.formats.pickle_values import ROWS_WITHOUT_NUMBERS, TOO_MANY_VALUES
from labeler.formats.safe_pickle import INVALID_UNICODE, read_safe_pickle

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
    return read_safe_pickle(written(folder, pickle.dumps(value, protocol=protocol)))


@settings(max_examples=40)
@given(value=PLAIN, protocol=st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_data_comes_back(
    tmp_path_factory: pytest.TempPathFactory, value: object, protocol: int
) -> None:
    assert read(tmp_path_factory.mktemp("pickle"), value, protocol=protocol) == value


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_numbers_and_arrays_of_numpy_become_pythons_own(tmp_path: Path, protocol: int) -> None:
    value = {
        "number": np.float32(0.5),
        "count": np.int64(7),
        "grid": np.asfortranarray([[1, 2, 3], [4, 5, 6]], dtype=">i4"),
        "words": np.array(["marmot", "beaver"]),
        "flags": np.array([True, False]),
        "many": np.full(5_000, fill_value=True),
        "chosen": {"n02099601"},
    }
    assert read(tmp_path, value, protocol=protocol) == {
        "number": 0.5,
        "count": 7,
        "grid": [[1, 2, 3], [4, 5, 6]],
        "words": ["marmot", "beaver"],
        "flags": [True, False],
        "many": [True] * 5_000,
        "chosen": {"n02099601"},
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
    "an import": lambda _trace: Calls(importlib.import_module, "antigravity"),
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


# Of what is asked for here a machine has enough, so that a test that fails leaves it alive.
GREEDY = {
    "a value's number": b"\x80\x02]r" + (5 * 10**7).to_bytes(4, "little") + b".",
    "a value's number in letters": b"]p50000000\n.",
    "a text's length": b"\x80\x02X" + (5 * 10**8).to_bytes(4, "little") + b"marmot.",
    "the length of bytes": b"\x80\x05\x96" + (5 * 10**8).to_bytes(8, "little") + b"marmot.",
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_pickle_gets_no_more_memory_than_it_has_bytes_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a length in it is larger than the file"):
        read_safe_pickle(written(tmp_path, GREEDY[name]))


# Made again and again from what is in the file once.
_BYTES = b"\x80\x04C\xff" + bytes(255) + b"\x940"
MANIFOLD = {
    "lists": _BYTES + b"(" + 500 * b"cbuiltins\nlist\nh\x00\x85R" + b"l.",
    "sets": _BYTES + b"(" + 500 * b"cbuiltins\nfrozenset\nh\x00\x85R" + b"l.",
    "arrays": _BYTES
    + b"cnumpy\ndtype\n\x8c\x02b1\x85R\x940("
    + 500 * b"cnumpy.core.numeric\n_frombuffer\n(h\x00h\x01K\xff\x85\x8c\x01CtR"
    + b"l.",
}


@pytest.mark.parametrize("name", MANIFOLD)
def test_nothing_is_made_of_the_same_bytes_again_and_again(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=TOO_MANY_VALUES):
        read_safe_pickle(written(tmp_path, MANIFOLD[name]))


@pytest.mark.parametrize("code", [0x110000, 0xFFFFFFFF, 0xD800])
def test_a_text_in_an_array_is_unicode_or_refused(tmp_path: Path, code: int) -> None:
    words = np.array([code], np.uint32).view("<U1")
    with pytest.raises(InputError, match="a string that isn't valid Unicode"):
        read(tmp_path, words)


def test_rows_without_numbers_take_no_memory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=ROWS_WITHOUT_NUMBERS):
        read(tmp_path, np.zeros((10**6, 0)))
    assert read(tmp_path, np.zeros((0, 3))) == []


def test_nothing_can_be_put_into_what_is_admitted(tmp_path: Path) -> None:
    """A state for a class itself, which an unpickler would write into it."""
    content = b"\x80\x04" + b"cnumpy\nndarray\n" + b"}(\x8c\x07__new__\x8c\x05gone!u" + b"b."
    with pytest.raises(InputError):
        read_safe_pickle(written(tmp_path, content))
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


WHOLE = {"a": list(range(60)), "b": {"words": ["marmot", "Ä"], "nested": [{}, (None, True)]}}


class Strict(pickle.Unpickler):
    """Python's own, which names nothing: what it reads is what a pickle of plain data says."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


def strictly(content: bytes) -> tuple[bool, object]:
    try:
        return True, Strict(io.BytesIO(content), encoding="latin-1").load()
    except Exception:
        return False, None


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_as_what_it_says_or_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = pickle.dumps(WHOLE, protocol=data.draw(st.integers(0, pickle.HIGHEST_PROTOCOL)))
    place = data.draw(st.integers(0, len(whole)))
    gone = data.draw(st.integers(0, 3))
    damaged = whole[:place] + data.draw(st.binary(max_size=3)) + whole[place + gone :]
    file = written(tmp_path_factory.mktemp("pickle"), damaged)
    found, refusal = read_or_refused(file)
    if refusal is None:
        sound, meant = strictly(damaged)
        assert sound, "nothing is made of what Python can't read"
        assert found == meant or repr(found) == repr(meant)
    else:
        assert refusal.startswith(f"{file}: this pickle can't be read: ")
        assert damaged != whole, "what is whole is read"


def read_or_refused(file: Path) -> tuple[object, str | None]:
    try:
        return read_safe_pickle(file), None
    except InputError as refused:
        return None, str(refused)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_no_beginning_of_a_file_passes_for_the_whole(tmp_path: Path, protocol: int) -> None:
    whole = pickle.dumps(WHOLE, protocol=protocol)
    for length in range(len(whole)):
        with pytest.raises(InputError, match="can't be read"):
            read_safe_pickle(written(tmp_path, whole[:length]))


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=INVALID_UNICODE):
        read(tmp_path, ["\ud800"])


ALLOWED_GLOBALS = {
    "collections.OrderedDict",
    "collections.defaultdict",
    "builtins.dict",
    "builtins.frozenset",
    "builtins.list",
    "builtins.set",
    "__builtin__.dict",
    "__builtin__.frozenset",
    "__builtin__.list",
    "__builtin__.set",
    "_codecs.encode",
    "numpy.dtype",
    "numpy.ndarray",
    "numpy.core.multiarray._reconstruct",
    "numpy._core.multiarray._reconstruct",
    "numpy.core.multiarray.scalar",
    "numpy._core.multiarray.scalar",
    "numpy.core.numeric._frombuffer",
    "numpy._core.numeric._frombuffer",
}


def test_a_pickle_may_name_these_and_nothing_else() -> None:
    assert {f"{module}.{name}" for module, name in NAMES} == ALLOWED_GLOBALS


@pytest.mark.parametrize(
    "near",
    [
        "builtins.__import__",
        "builtins.eval",
        "builtins.getattr",
        "builtins.type",
        "builtins.object",
        "collections.Counter",
        "collections.namedtuple",
        "collections.abc.Mapping",
        "copyreg._reconstructor",
        "codecs.encode",
        "_codecs.decode",
        "numpy.load",
        "numpy.fromfile",
        "numpy.array",
        "numpy.core.multiarray.fromfile",
        "numpy.ma.core._mareconstruct",
        "datetime.datetime",
        "__builtin__.eval",
        "os.system",
        "posix.system",
    ],
)
def test_what_stands_near_the_admitted_names_is_refused(tmp_path: Path, near: str) -> None:
    module, _, name = near.rpartition(".")
    content = b"\x80\x02c" + f"{module}\n{name}\n".encode() + b"."
    with pytest.raises(InputError, match="which isn't allowed"):
        read_safe_pickle(written(tmp_path, content))


def test_an_admitted_name_is_no_way_to_its_attributes(tmp_path: Path) -> None:
    content = b"\x80\x04\x8c\x08builtins\x8c\x0edict.__class__\x93."
    with pytest.raises(InputError, match="which isn't allowed"):
        read_safe_pickle(written(tmp_path, content))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="No such file"):
        read_safe_pickle(tmp_path / "gone.pickle")
