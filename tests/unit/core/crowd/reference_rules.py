"""The rules for crowd answers a second time, written slowly from their text to compare with.

Nothing here uses the code under test except its plain records.
"""

from fractions import Fraction
from itertools import product

from labeler.core.crowd.entities import ClassifyAnswer, ContainsAnswer, Grid, GridRole

Counts = dict[str, tuple[int, int]]


def share(counts: tuple[int, int]) -> Fraction:
    return Fraction(counts[0], counts[1])


def reference_candidates(target: str, counts: Counts, distance) -> dict[str, str]:
    """Return the candidate labels with their reasons, in their order."""
    chosen = [(target, "target")]
    others = [label for label in counts if label != target]
    chosen += [(x, "frequent") for x in others if share(counts[x]) >= Fraction(1, 2)]
    for x in others:
        if share(counts[x]) > 0 and distance(x, target) > 5 and x not in dict(chosen):
            chosen.append((x, "distant"))
    if len(chosen) < 5:
        chosen += [(x, "further") for x in others if share(counts[x]) > 0 and x not in dict(chosen)]
    if len(chosen) > 6:
        ranked = sorted(
            (x for x, _reason in chosen if x != target), key=lambda x: (-share(counts[x]), x)
        )
        keep = {target} | set(ranked[:5])
        if target in counts and share(counts[target]) > Fraction(1, 8):
            keep |= {x for x in ranked if share(counts[x]) >= share(counts[target])}
        chosen = [pair for pair in chosen if pair[0] in keep]

    def order(pair):
        return -share(counts[pair[0]]) if pair[0] in counts else 0, pair[0]

    return dict(sorted(chosen, key=order))


def reference_status(target: str, counts: Counts) -> str:
    if target in counts and counts[target][0] == 0:
        return "mislabeled"
    if target not in counts or counts[target][1] < 6:
        return "too_few"
    for label, (selected, shown) in counts.items():
        if label == target or shown < 6:
            continue
        if not share(counts[target]) > 2 * Fraction(selected, shown):
            return "follow_up"
    return "clear"


def reference_kept(grids: dict[str, Grid], answers: list[ContainsAnswer]) -> set[tuple[str, str]]:
    """Return the (participant, grid) of the answers that the rule `controls` keeps."""
    kept = {(a.participant, a.grid) for a in answers}
    for person in {a.participant for a in answers}:
        shares = {}
        for answer in (a for a in answers if a.participant == person):
            images = grids[answer.grid].images
            positive = [place for place in images if images[place].role is GridRole.POSITIVE]
            if positive:
                found = [place for place in positive if place in answer.selected]
                shares[answer.grid] = Fraction(len(found), len(positive))
        weak = [grid for grid, found in shares.items() if found < Fraction(20, 100)]
        if shares and Fraction(len(weak), len(shares)) >= Fraction(1, 2):
            kept = {pair for pair in kept if pair[0] != person}
        kept -= {(person, grid) for grid, found in shares.items() if found < Fraction(40, 100)}
    return kept


def first_most_frequent(values: list):
    """Return the most frequent value, the first in a tie, and whether there is a tie."""
    most = max(values.count(value) for value in values)
    tied = [value for value in values if values.count(value) == most]
    return tied[0], len(set(tied)) > 1


def reference_objects(answers: list[ClassifyAnswer], target: str, distance) -> dict:
    """Return an image's objects by trying every assignment of labels to numbered objects."""
    k, k_tied = first_most_frequent([len(a.labels) for a in answers])
    main, main_tied = first_most_frequent([a.main for a in answers])
    every = sorted({label for a in answers for label in a.labels})
    labels = [
        x for x in every if k == 1 or any(x in a.labels and len(a.labels) > 1 for a in answers)
    ]

    def inside(partition, weight):
        return sum(weight(a, b) for group in partition for a in group for b in group if a < b)

    def together(a, b):
        return sum(a in answer.labels and b in answer.labels for answer in answers)

    partitions = set()
    for numbers in product(range(k), repeat=len(labels)):
        groups = [
            tuple(x for x, n in zip(labels, numbers, strict=True) if n == i) for i in range(k)
        ]
        if all(groups):
            partitions.add(tuple(sorted(groups)))
    least = min(inside(p, together) for p in partitions)
    optimal = [p for p in partitions if inside(p, together) == least]
    best = min(optimal, key=lambda p: (inside(p, distance), p))
    ticked = {x: sum(x in a.labels for a in answers) for x in every}
    picks = [sum(a.main in group for a in answers) for group in best]
    return {
        "groups": best,
        "names": tuple(sorted(group, key=lambda x: (-ticked[x], x))[0] for group in best),
        "unplaced": tuple(x for x in every if x not in labels),
        "confidence": Fraction([len(a.labels) for a in answers].count(k), len(answers)),
        "main_label": main,
        "main_picks": sum(a.main == main for a in answers),
        "main_object": picks.index(max(picks)) + 1,
        "target_object": next((n for n, g in enumerate(best, 1) if target in g), None),
        "optimal": len(optimal),
        "ticked": ticked,
        "ties": {
            name
            for name, tied in (
                ("num_objects", k_tied),
                ("main_label", main_tied),
                ("main_object", picks.count(max(picks)) > 1),
            )
            if tied
        },
    }
