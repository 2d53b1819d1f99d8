"""Time over several visits to a trial."""

from labeler.core.labeling.active_time import Interval
from labeler.core.labeling.time_spent import TimeSpent, Visit
from labeler.core.study.entities import Attention

MORNING = Visit("morning", (Interval(Attention.IMAGE, 5000, 5100),))
EVENING = Visit("evening", (Interval(Attention.GUIDE, 20, 50), Interval(Attention.IMAGE, 60, 70)))


def test_visits_are_summed_though_their_clocks_have_different_bases() -> None:
    spent = TimeSpent((MORNING, EVENING), wall_ms=150)
    assert spent.active_ms(idle_after_ms=40) == 40 + 30 + 10
    assert spent.idle_ms(idle_after_ms=40) == 60
    assert spent.by_place(idle_after_ms=40) == {
        **dict.fromkeys(Attention, 0),
        Attention.IMAGE: 50,
        Attention.GUIDE: 30,
    }


def test_no_input_carries_over_from_one_visit_to_the_next() -> None:
    touching_by_chance = Visit("evening", (Interval(Attention.IMAGE, 5100, 5200),))
    spent = TimeSpent((MORNING, touching_by_chance))
    assert spent.active_ms(idle_after_ms=40) == 80


def test_time_adds_up_in_the_order_of_the_visits() -> None:
    spent = TimeSpent((MORNING,), wall_ms=100) + TimeSpent((EVENING,), wall_ms=50)
    assert spent == TimeSpent((MORNING, EVENING), wall_ms=150)
    assert spent.intervals == MORNING.intervals + EVENING.intervals
