"""The lines that a scoring process reads and writes: one JSON object each, arrays in base64."""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from labeler.core.models.scoring import (
    ImageToScore,
    ModelFacts,
    ModelSpec,
    Precision,
    ScoredChunk,
    ScoringChunk,
    ScoringSetup,
    UnreadableFile,
)

WireLine = dict[str, Any]


class WireEvent(StrEnum):
    """What a line from a scoring process tells."""

    DEVICES = "devices"
    READY = "ready"
    SCORED = "scored"
    NOTE = "note"
    FAILED = "failed"


class FailureKind(StrEnum):
    """Whose fault a failure is."""

    REFUSED = "refused"
    ENVIRONMENT = "environment"
    DEFECT = "defect"


def dump(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=True, separators=(",", ":"))


def load(text: str | bytes) -> WireLine:
    line = json.loads(text)
    if not isinstance(line, dict):
        raise ValueError("a line holds one JSON object")
    return line


def setup_line(setup: ScoringSetup) -> WireLine:
    return asdict(setup)


def read_setup(line: WireLine) -> ScoringSetup:
    return ScoringSetup(
        **{
            **line,
            "spec": ModelSpec(**line["spec"]),
            "wnids": tuple(line["wnids"]),
            "precision": Precision(line["precision"]),
            "probe": tuple(line["probe"]),
        }
    )


def chunk_line(chunk: ScoringChunk) -> WireLine:
    return {
        "chunk": chunk.number,
        "apply_exif": chunk.apply_exif,
        "batch_size": chunk.batch_size,
        "images": [
            [image.ordinal, image.path, image.content_hash and image.content_hash.hex()]
            for image in chunk.images
        ],
    }


def read_chunk(line: WireLine) -> ScoringChunk:
    images = tuple(
        ImageToScore(ordinal, path, content_hash and bytes.fromhex(content_hash))
        for ordinal, path, content_hash in line["images"]
    )
    return ScoringChunk(line["chunk"], images, line["apply_exif"], line["batch_size"])


def facts_line(facts: ModelFacts) -> WireLine:
    return {"event": WireEvent.READY, "facts": asdict(facts)}


def read_facts(line: WireLine) -> ModelFacts:
    return ModelFacts(**line["facts"])


def scored_line(scored: ScoredChunk) -> WireLine:
    line: WireLine = {
        "event": WireEvent.SCORED,
        "chunk": scored.number,
        "ordinals": list(scored.ordinals),
        "labels": _packed(scored.labels, "<u2"),
        "scores": _packed(scored.scores, "<f4"),
        "ranks": int(scored.labels.shape[1]),
        "unreadable": [[file.ordinal, file.reason] for file in scored.unreadable],
    }
    if scored.logits is not None:
        line["logits"] = _packed(scored.logits, "<f4")
    return line


def read_scored(line: WireLine) -> ScoredChunk:
    ordinals = tuple(int(ordinal) for ordinal in line["ordinals"])
    shape = (len(ordinals), int(line["ranks"]))
    logits = line.get("logits")
    return ScoredChunk(
        number=int(line["chunk"]),
        ordinals=ordinals,
        labels=_unpacked(line["labels"], "<u2").reshape(shape),
        scores=_unpacked(line["scores"], "<f4").reshape(shape),
        unreadable=tuple(UnreadableFile(int(o), str(r)) for o, r in line["unreadable"]),
        logits=None if logits is None else _unpacked(logits, "<f4").reshape(len(ordinals), -1),
    )


def note_line(sentence: str) -> WireLine:
    return {"event": WireEvent.NOTE, "sentence": sentence}


def devices_line(devices: list[str]) -> WireLine:
    """The devices on which one process each is worth starting, the own one first."""
    return {"event": WireEvent.DEVICES, "devices": devices}


def failed_line(fault: FailureKind, sentence: str, *, by_command: str = "") -> WireLine:
    return {
        "event": WireEvent.FAILED,
        "fault": fault,
        "sentence": sentence,
        "by_command": by_command,
    }


def _packed(array: npt.NDArray[Any], dtype: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


def _unpacked(text: str, dtype: str) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype)
