"""Backups make themselves after every half hour of work in which something changed."""

from labeler.app.study.backups import AutomaticBackups
from labeler.store.study.backups import backups


def work(store) -> None:
    with store.write() as study:
        study.audit.record("work")


def test_a_backup_is_made_after_half_an_hour_and_not_before(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)

    clock.go_on(minutes=29, seconds=59)
    assert not automatic.tick()
    clock.go_on(seconds=1)
    assert automatic.tick()

    [backup] = backups(store.folder)
    assert backup.made_at == clock.utc()


def test_a_half_hour_without_work_makes_none(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)
    made = []
    for _ in range(4):
        clock.go_on(minutes=30)
        made.append(automatic.tick())
    work(store)
    clock.go_on(minutes=30)
    made.append(automatic.tick())

    assert made == [True, False, False, False, True]


def test_a_day_of_work_leaves_every_half_hour_and_a_month_leaves_each_day(store, clock) -> None:
    automatic = AutomaticBackups(store, clock, every_minutes=360)
    for _ in range(4 * 10):
        work(store)
        clock.go_on(hours=6)
        assert automatic.tick()

    made = [backup.made_at for backup in backups(store.folder)]
    assert made[0] == clock.utc()
    assert len(made) == 4 + 10
    assert len({moment.date() for moment in made}) == 11


def test_the_interval_uses_the_monotonic_clock(store, clock) -> None:
    automatic = AutomaticBackups(store, clock)
    work(store)
    clock.jump(hours=5)

    assert not automatic.tick()


def test_a_study_just_opened_is_backed_up_at_the_first_tick(store, clock) -> None:
    backups = AutomaticBackups(store, clock, due_at_once=True)
    assert backups.tick()
    assert not backups.tick()
