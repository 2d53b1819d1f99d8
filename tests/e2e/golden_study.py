"""A study small enough to work every number out by hand, as exchange files.

Original: o1 dog, o2 dog, o3 bird, o4 airliner, o5 problematic, o6 judged with no correct label.
New: n1 dog, n2 airliner, n3 that no one judged.

    image  target    correct labels         A        B        C        m1 (ranks)     m2
    o1     pug       pug                    pug      pug      pug      pug            beagle
    o2     beagle    beagle, pug            pug      beagle   robin    pug, beagle    beagle
    o3     robin     robin                  robin*   pug      pug      pug, robin     pug
    o4     airliner  airliner               airliner airliner —        airliner       airliner
    o5     pug       pug        problematic beagle   pug      pug      pug            pug
    o6     pug       (wrong)                pug      pug      pug      pug            pug
    n1     pug       pug                    beagle   pug      pug      beagle, robin  pug
    n2     airliner  airliner               robin    airliner airliner airliner       robin
    n3     robin     (unjudged)             robin    robin    robin    robin          robin

* an escape hatch, with pug as the alternative. On n1 no one judged the beagle.
Confidence: only B said it: 5 on o1, o2 and o4, 1 on o3.
Active seconds: A 10 on every image; B 110 on every image; C 50, and no time on n2.
"""

import csv
from pathlib import Path

PUG, BEAGLE, ROBIN, AIRLINER = "n02110958", "n02088364", "n01558993", "n02690373"
_NAMES = {"pug": PUG, "beagle": BEAGLE, "robin": ROBIN, "airliner": AIRLINER}
_IMAGES = (
    # dataset, image, target, problematic, answers of A, B, C, guesses of m1, m2
    ("original", "o1", "pug", "", "pug", "pug", "pug", "pug", "beagle"),
    ("original", "o2", "beagle", "", "pug", "beagle", "robin", "pug beagle", "beagle"),
    ("original", "o3", "robin", "", "robin", "pug", "pug", "pug robin", "pug"),
    ("original", "o4", "airliner", "", "airliner", "airliner", "", "airliner", "airliner"),
    ("original", "o5", "pug", "drawing", "beagle", "pug", "pug", "pug", "pug"),
    ("original", "o6", "pug", "", "pug", "pug", "pug", "pug", "pug"),
    ("new", "n1", "pug", "", "beagle", "pug", "pug", "beagle robin", "pug"),
    ("new", "n2", "airliner", "", "robin", "airliner", "airliner", "airliner", "robin"),
    ("new", "n3", "robin", "", "robin", "robin", "robin", "robin", "robin"),
)
_STATES = (
    ("original", "o1", "pug", "correct"),
    ("original", "o1", "beagle", "wrong"),
    ("original", "o2", "beagle", "correct"),
    ("original", "o2", "pug", "correct"),
    ("original", "o2", "robin", "wrong"),
    ("original", "o3", "robin", "correct"),
    ("original", "o3", "pug", "unclear"),
    ("original", "o4", "airliner", "correct"),
    ("original", "o5", "pug", "correct"),
    ("original", "o6", "pug", "wrong"),
    ("new", "n1", "pug", "correct"),
    ("new", "n2", "airliner", "correct"),
    ("new", "n2", "robin", "wrong"),
)
_CONFIDENCE = {"o1": 5, "o2": 5, "o3": 1, "o4": 5}
_SECONDS = {"A": "10.000", "B": "110.000", "C": "50.000"}


def write_golden(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    _write(
        folder / "datasets.csv",
        "dataset,image,target,path,problematic",
        [(row[0], row[1], _NAMES[row[2]], "", row[3]) for row in _IMAGES],
    )
    _write(
        folder / "participants.csv",
        "participant,kind,description",
        [(code, "human", "") for code in "ABC"] + [(code, "model", "") for code in ("m1", "m2")],
    )
    _write(
        folder / "predictions.csv",
        "participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,"
        "escape_hatch,alternative,confidence",
        [line for row in _IMAGES for line in _predictions(row)],
    )
    _write(
        folder / "multilabels.csv",
        "dataset,image,label,state",
        [(dataset, image, _NAMES[label], state) for dataset, image, label, state in _STATES],
    )
    return folder


def _predictions(row: tuple[str, ...]) -> list[tuple[object, ...]]:
    dataset, image = row[:2]
    lines: list[tuple[object, ...]] = []
    for code, label in zip("ABC", row[4:7], strict=True):
        if label:
            hatch = (code, image) == ("A", "o3")
            seconds = "" if (code, image) == ("C", "n2") else _SECONDS[code]
            given = (1, PUG) if hatch else (0, "")
            sure = _CONFIDENCE.get(image, "") if code == "B" else ""
            times = (seconds, seconds, "")
            lines.append((code, dataset, image, 1, _NAMES[label], "", *times, *given, sure))
    for code, guesses in zip(("m1", "m2"), row[7:9], strict=True):
        for rank, label in enumerate(guesses.split(), start=1):
            lines.append((code, dataset, image, rank, _NAMES[label], "", "", "", "", 0, "", ""))
    return lines


def _write(file: Path, header: str, rows: list[tuple[object, ...]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        stream.write(f"{header}\n")
        csv.writer(stream, lineterminator="\n").writerows(rows)
