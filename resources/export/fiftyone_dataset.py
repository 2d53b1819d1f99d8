"""Make a FiftyOne dataset of this folder: python fiftyone_dataset.py [NAME]

Every participant is a field with the class that they chose, "target" is the class of the dataset,
and "correct_labels" are the labels that reviewers judged as correct.
"""

import csv
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import fiftyone as fo

FOLDER = Path(__file__).resolve().parent


def rows(name):
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def image_of(row):
    return row["dataset"], row["image"]


def field_name(participant, kind):
    return f"{kind}_" + re.sub(r"\W", "_", participant)


def classification(row, class_names):
    label = class_names.get(row["label"], row["label"])
    score = float(row["score"]) if row["score"] else None
    times = {"active_seconds": float(row["active_seconds"])} if row["active_seconds"] else {}
    return fo.Classification(label=label, confidence=score, wnid=row["label"], **times)


def samples():
    class_names = json.loads((FOLDER / "class_names.json").read_text(encoding="utf-8"))
    kinds = {row["participant"]: row["kind"] for row in rows("participants")}
    found = {}
    for row in rows("datasets"):
        if not row["path"]:
            continue
        found[image_of(row)] = fo.Sample(
            filepath=row["path"],
            tags=[row["dataset"], *filter(None, row["problematic"].split("|"))],
            image=row["image"],
            target=fo.Classification(
                label=class_names.get(row["target"], row["target"]), wnid=row["target"]
            ),
        )
    for row in rows("predictions"):
        if row["rank"] == "1" and image_of(row) in found:
            field = field_name(row["participant"], kinds[row["participant"]])
            found[image_of(row)][field] = classification(row, class_names)
    correct = defaultdict(list)
    for row in rows("multilabels"):
        if row["state"] == "correct":
            name = class_names.get(row["label"], row["label"])
            correct[image_of(row)].append(fo.Classification(label=name, wnid=row["label"]))
    for image, labels in correct.items():
        if image in found:
            found[image]["correct_labels"] = fo.Classifications(classifications=labels)
    return list(found.values())


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else FOLDER.name
    made = samples()
    if not made:
        sys.exit("No image of the study has a file, so there is nothing to show.")
    dataset = fo.Dataset(name, persistent=True)
    dataset.add_samples(made)
    print(
        f"FiftyOne dataset {name}: {len(dataset)} samples. Show it with: fiftyone app launch {name}"
    )


if __name__ == "__main__":
    main()
