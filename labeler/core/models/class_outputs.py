"""Which output of a model is which class: matched by wnid, complete, never guessed."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError

BACKGROUND = "background"
BACKGROUND_FIRST = "background-first"

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ClassOutputs:
    """The model output of each class of the study, and a sentence about the matching."""

    columns: tuple[int, ...]
    outputs: int
    sentence: str

    @property
    def is_identity(self) -> bool:
        return self.columns == tuple(range(self.outputs))


def match_outputs(wnids: Sequence[str], outputs: Sequence[str]) -> ClassOutputs:
    """Match outputs to classes, given the wnid of every output; `background` is no class."""
    _refuse_repeated(outputs)
    columns_by_wnid = {wnid: column for column, wnid in enumerate(outputs)}
    missing = [wnid for wnid in wnids if wnid not in columns_by_wnid]
    if missing:
        raise RefusedError(
            f"The model has no output for {len(missing):,} of the study's {len(wnids):,} classes, "
            f"among them {', '.join(missing[:_SHOWN])}, so its predictions can't be compared. "
            "Choose weights that were fine-tuned on the study's classes."
        )
    columns = tuple(columns_by_wnid[wnid] for wnid in wnids)
    return ClassOutputs(columns, len(outputs), _sentence(columns, outputs))


def require_same_order(given: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a class list that contradicts the known order of the weights."""
    if list(given) == list(known):
        return
    if len(given) != len(known):
        raise RefusedError(
            f"The class list has {len(given):,} lines, but the model has {len(known):,} outputs."
        )
    line = next(i for i, (one, other) in enumerate(zip(given, known, strict=True)) if one != other)
    raise RefusedError(
        f"The class list contradicts the weights: its line {line + 1} is {given[line]}, but the "
        f"output {line} of these weights is {known[line]}. The list is in another order; omit it, "
        "because the order of these weights is known."
    )


def require_output_count(given: Sequence[str], outputs: int) -> None:
    """Refuse a class list with another length than the number of outputs."""
    if len(given) != outputs:
        raise RefusedError(
            f"The class list has {len(given):,} lines, but the model has {outputs:,} outputs."
        )


def _refuse_repeated(outputs: Sequence[str]) -> None:
    counts = Counter(wnid for wnid in outputs if wnid != BACKGROUND)
    duplicates = [wnid for wnid, count in counts.items() if count > 1]
    if duplicates:
        raise RefusedError(
            f"The class list contains {duplicates[0]} twice, but each class has one output."
        )


def _sentence(columns: tuple[int, ...], outputs: Sequence[str]) -> str:
    count = len(columns)
    if columns == tuple(range(len(outputs))):
        return f"{count:,} outputs in the study's order"
    if len(outputs) == count + 1 and outputs[0] == BACKGROUND:
        return f"{count:,} of {len(outputs):,} outputs, without the background"
    if len(outputs) == count:
        return f"{count:,} outputs in another order, mapped by wnid"
    return f"{count:,} of {len(outputs):,} outputs, mapped by wnid"


_WNID = re.compile(r"n\d{8}")


def read_output_classes(file: Path) -> list[str]:
    """Read the wnids in the order of the outputs; `background` means no class."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("this is not a text file.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    return [_entry(line.strip(), file, number) for number, line in enumerate(lines, start=1)]


def _entry(text: str, file: Path, line: int) -> str:
    # Many lists have names after the wnid; only the first word counts.
    word = text.split(maxsplit=1)[0] if text else ""
    if word != BACKGROUND and _WNID.fullmatch(word) is None:
        problem = f"'{text[:40]}' must begin with a wnid such as n01440764, or be '{BACKGROUND}'."
        raise InputError(problem, file=file, line=line)
    return word
