"""What is given to be imported is recognised by what is in it; all else gets a sentence."""

import json
import os
import pickle
from pathlib import Path

import pytest

from labeler.app.exchange.file_recognition import (
    ARCHIVE,
    IMAGE_LIST,
    IMPORT_PREDICTIONS_COMMAND,
    LABELS_FILE,
    MODEL_VS_HUMAN_TRIALS,
    ONE_FOLDER_OR_FILES,
    TIMM_RESULTS,
    UNKNOWN_FORMAT,
    UTF_16_TEXT,
    ForeignFile,
    ForeignFormat,
    no_such_path_text,
    recognise_files,
)
from labeler.core.errors import RefusedError
from labeler.core.input_files import NOT_UTF8
from labeler.core.study.exchange_format import DATASETS, MULTILABELS
from labeler.store.exchange.files import FoundFiles

DATASET_HEADER = "dataset,image,target,path,problematic\n"


def put(folder: Path, name: str, content: bytes | str) -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize(
    ("content", "known_as"),
    [
        *((pickle.dumps({}, protocol), ForeignFormat.HUMAN_ACCURACY) for protocol in range(6)),
        (b'  {"initial_annots": {}}', ForeignFormat.JUDGED),
        (b"\xef\xbb\xbf[[1], []]", ForeignFormat.REAL),
    ],
)
def test_another_programs_file_is_known_whatever_its_name(
    tmp_path: Path, content: bytes, known_as: ForeignFormat
) -> None:
    given = recognise_files([put(tmp_path, "data.bin", content)])
    assert isinstance(given, ForeignFile)
    assert given.format is known_as


def test_one_file_of_the_exchange_format_is_enough(tmp_path: Path) -> None:
    given = recognise_files([put(tmp_path, "my images.csv", DATASET_HEADER)])
    assert given == FoundFiles({DATASETS: tmp_path / "my images.csv"})


def test_several_files_are_taken_together(tmp_path: Path) -> None:
    first = put(tmp_path, "labels.csv", "dataset,image,label,state\n")
    second = put(tmp_path, "datasets.csv", DATASET_HEADER)
    given = recognise_files([first, second])
    assert given == FoundFiles({DATASETS: second, MULTILABELS: first})


def test_a_folder_is_taken_with_what_it_has_of_the_format(tmp_path: Path) -> None:
    file = put(tmp_path, "datasets.csv", DATASET_HEADER)
    put(tmp_path, "notes.csv", "a,b\n")
    assert recognise_files([tmp_path]) == FoundFiles({DATASETS: file}, ("notes.csv",))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("image,label\n", IMAGE_LIST),
        ("image,wnid\n", LABELS_FILE),
        ("subj,session,trial,rt,object_response\n", MODEL_VS_HUMAN_TRIALS),
        ("model,top1,top5\n", TIMM_RESULTS),
        ("a,b\n", "the header a,b does not belong"),
        (b"\x93NUMPY\x01", IMPORT_PREDICTIONS_COMMAND),
        (b"PK\x03\x04 more", ARCHIVE),
        ("once upon a time", UNKNOWN_FORMAT),
        (b"\xff\xd8\xff\xe0 a photograph", UNKNOWN_FORMAT),
        ("", UNKNOWN_FORMAT),
        ("dataset,image\n".encode("utf-16"), UTF_16_TEXT),
        ('{"a":\n1,}', "line 2: invalid JSON at character 3"),
        (b'{"a": "\xff"}', NOT_UTF8),
    ],
)
def test_what_is_nothing_to_import_is_told_with_the_way_to_go(
    tmp_path: Path, content: bytes | str, sentence: str
) -> None:
    file = put(tmp_path, "given", content)
    with pytest.raises(RefusedError) as raised:
        recognise_files([file])
    assert sentence in raised.value.typed
    assert str(file) in str(raised.value)


def test_a_folder_among_files_and_a_place_that_is_not_there_are_refused(tmp_path: Path) -> None:
    file = put(tmp_path, "a.json", json.dumps({}))
    with pytest.raises(RefusedError, match=ONE_FOLDER_OR_FILES):
        recognise_files([tmp_path, file])
    with pytest.raises(RefusedError, match=no_such_path_text(tmp_path / "gone")):
        recognise_files([tmp_path / "gone"])


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "datasets.csv")
    with pytest.raises(RefusedError, match="pipe or a device"):
        recognise_files([tmp_path / "datasets.csv"])
