"""A small `human_accuracy.pickle`, with everything in it that the published one has."""

import pickle
from pathlib import Path
from typing import Any

MARMOT, BEAVER, TENCH = "n02361337", "n02363005", "n01440764"
VAL_1, VAL_2 = "ILSVRC2012_val_00000001.JPEG", "ILSVRC2012_val_00000002.JPEG"
NEW_1, NEW_2 = "0aed9a1f", "1bfe8b2e"
IMAGES = (VAL_1, VAL_2, NEW_1, NEW_2)


def answered(label: str, *, start: str = "", end: str = "") -> dict[str, Any]:
    times = {"start_time": start, "end_time": end} if start else {}
    return {"label": label, "extra_info": times}


def paper() -> dict[str, Any]:
    human = answered(MARMOT, start="2019-12-01 10:00:00.250", end="Sun, 01 Dec 2019 10:00:26 GMT")
    return {
        "labeled_images": list(IMAGES),
        "annot_data": {
            "human_a": dict.fromkeys(IMAGES, human),
            "resnet50": {image: answered(BEAVER) for image in IMAGES},
            "human_majority": {image: answered(MARMOT) for image in IMAGES},
        },
        "image_map": {i: {"id": i, "problematic": i == VAL_2} for i in IMAGES},
        "image_labels": {
            VAL_1: {"correct": [MARMOT, BEAVER], "wrong": [TENCH], "unclear": []},
            VAL_2: {"correct": [MARMOT], "wrong": [], "unclear": []},
            NEW_1: {"correct": [BEAVER], "wrong": [], "unclear": [MARMOT]},
            NEW_2: {"correct": [], "wrong": [MARMOT], "unclear": []},
        },
        "split_wnids": {("organism", "dog"): [], ("object",): []},
        "all_candidates": {NEW_1, NEW_2},
        "wnid_map": {VAL_1: MARMOT, VAL_2: MARMOT, NEW_1: BEAVER, NEW_2: TENCH},
        "initial_annots": {VAL_1: {"correct": [MARMOT], "wrong": [BEAVER]}},
    }


def written(folder: Path, content: object) -> Path:
    file = folder / "human_accuracy.pickle"
    file.write_bytes(pickle.dumps(content))
    return file
