"""Time over several visits to a trial."""

from labeler.core.labeling.active_time import AttentionInterval, TimeSpent, TrialVisit
from labeler.core.study.entities import AttentionPlace

MORNING = TrialVisit("morning", (AttentionInterval(AttentionPlace.IMAGE, 5000, 5100),))
EVENING = TrialVisit(
    "evening",
    (
        AttentionInterval(AttentionPlace.GUIDE, 20, 50),
        AttentionInterval(AttentionPlace.IMAGE, 60, 70),
    ),
)


def test_visits_are_summed_though_their_clocks_have_different_bases() -> None:
    spent = TimeSpent((MORNING, EVENING), wall_ms=150)
    assert spent.active_ms(idle_after_ms=40) == 40 + 30 + 10
    assert spent.idle_ms(idle_after_ms=40) == 60
    assert spent.by_place(idle_after_ms=40) == {
        **dict.fromkeys(AttentionPlace, 0),
        AttentionPlace.IMAGE: 50,
        AttentionPlace.GUIDE: 30,
    }


def test_no_input_carries_over_from_one_visit_to_the_next() -> None:
    touching_by_chance = TrialVisit(
        "evening", (AttentionInterval(AttentionPlace.IMAGE, 5100, 5200),)
    )
    spent = TimeSpent((MORNING, touching_by_chance))
    assert spent.active_ms(idle_after_ms=40) == 80


def test_time_adds_up_in_the_order_of_the_visits() -> None:
    spent = TimeSpent((MORNING,), wall_ms=100) + TimeSpent((EVENING,), wall_ms=50)
    assert spent == TimeSpent((MORNING, EVENING), wall_ms=150)
    assert spent.intervals == MORNING.intervals + EVENING.intervals
