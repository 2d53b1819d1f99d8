"""A crew of processes scores each image once, whatever becomes of its processes."""

from itertools import count
from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.models.scoring import ImageToScore, ModelSpec, ScoringChunk, ScoringSetup
from labeler.scoring.worker_pool import ScoringCancelled, WorkerPool
from tests.scored_study import STAND_IN

MANY_LOOKS = 150  # far more than it takes, so that a crew that waits for itself gives up


def setup(model: str, batch_size: int | None = 16) -> ScoringSetup:
    spec = ModelSpec(model=model, name=model, batch_size=batch_size)
    return ScoringSetup(spec=spec, wnids=("n01440764",))


def chunks(count: int, size: int = 3) -> list[ScoringChunk]:
    return [
        ScoringChunk(n, tuple(ImageToScore(n * size + i, f"{i}.jpg") for i in range(size)), False)
        for n in range(count)
    ]


class Ears:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.words: list[str] = []


def crew(model: str, ears: Ears | None = None, **changes: object) -> WorkerPool:
    heard = ears or Ears()
    options = {
        "workers": 2,
        "say": heard.notes.append,
        "log": heard.words.append,
        "cancelled": lambda: False,
        "command": STAND_IN,
        **changes,
    }
    return WorkerPool(setup(model), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2, None])
def test_each_image_is_scored_once(workers: int | None) -> None:
    with crew("scores", workers=workers) as scorers:
        assert scorers.facts().weights == "a stand-in"
        scored = list(scorers.score(chunks(20)))
        again = list(scorers.score(chunks(2)))
    assert sorted(o for s in scored for o in s.ordinals) == list(range(60))
    assert len(again) == 2


def test_nothing_to_score_is_soon_done() -> None:
    with crew("scores") as scorers:
        scorers.facts()
        assert list(scorers.score([])) == []


def test_a_killed_process_is_replaced_with_half_the_batch() -> None:
    ears = Ears()
    with crew("dies", ears) as scorers:
        scorers.facts()
        scored = list(scorers.score(chunks(12)))
    assert sorted(o for s in scored for o in s.ordinals) == list(range(36))
    assert any("batches of 4 now" in note for note in ears.notes)


def test_the_last_chunks_go_to_whoever_can_begin_them(tmp_path: Path) -> None:
    file = tmp_path / "awaited.jpg"
    waiting = [ScoringChunk(n, (ImageToScore(n, str(file)),), False) for n in range(3)]
    looks = count()
    scored: list[int] = []
    with crew("waits", cancelled=lambda: next(looks) > MANY_LOOKS) as scorers:
        scorers.facts()
        for chunk in scorers.score(waiting):
            scored.append(chunk.number)
            if len(scored) == 2:
                file.touch()  # the first process is still at its one chunk
    assert sorted(scored) == [0, 1, 2]
    assert scored[-1] == 0


def score_all(model: str, ears: Ears | None = None, **changes: object) -> None:
    with crew(model, ears, **changes) as scorers:
        scorers.facts()
        list(scorers.score(chunks(4)))


def test_a_crash_is_told_with_its_last_words_and_advice() -> None:
    ears = Ears()
    with pytest.raises(EnvironmentFault, match=r"a library fell over.*smaller batches") as raised:
        score_all("crashes", ears)
    assert "--batch-size" in raised.value.typed
    assert "words of a library" in ears.words


def test_a_refusal_keeps_its_sentence() -> None:
    with pytest.raises(RefusedError, match="this model is refused"):
        score_all("refuses")


def test_processes_with_different_weights_are_no_crew() -> None:
    with pytest.raises(EnvironmentFault, match="different models"):
        score_all("differs")


def test_cancelling_ends_processes_that_are_at_work() -> None:
    at_work: list[str] = []
    with pytest.raises(ScoringCancelled):
        # The second process says its words when the first is at work.
        score_all("hangs", cancelled=lambda: len(at_work) > 1, log=at_work.append)
