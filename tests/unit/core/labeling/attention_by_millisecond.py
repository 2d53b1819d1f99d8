"""A deliberately simple model of attention: one entry for every millisecond that passed."""

from labeler.core.study.entities import AttentionPlace


class Timeline:
    """Where attention was in each millisecond of one visit, and in which ones there was input."""

    def __init__(self, *, suspended_after_ms: int) -> None:
        self._suspended_after_ms = suspended_after_ms
        self._settled: list[AttentionPlace | None] = []
        self._unsettled = 0
        self.place: AttentionPlace | None = None
        self.covered = False
        self.inputs: list[int] = []

    @property
    def attended(self) -> AttentionPlace | None:
        return None if self.covered else self.place

    def pass_time(self, ms: int) -> None:
        self._unsettled += ms

    def hear(self) -> None:
        """Settle where attention was since the last event: nowhere, when the machine slept."""
        self._settled = self.places()
        self._unsettled = 0

    def input(self) -> None:
        if self.attended is not None:
            self.inputs.append(len(self._settled))

    def places(self) -> list[AttentionPlace | None]:
        slept = self._unsettled > self._suspended_after_ms
        return self._settled + [None if slept else self.attended] * self._unsettled

    def attended_ms(self) -> int:
        return sum(place is not None for place in self.places())

    def active(self, *, idle_after_ms: int) -> dict[AttentionPlace, int]:
        """Walk through the milliseconds, counting those that are not too quiet."""
        counted = dict.fromkeys(AttentionPlace, 0)
        quiet_for: int | None = None
        for moment, place in enumerate(self.places()):
            if place is None:
                quiet_for = None
                continue
            if quiet_for is None or moment in self.inputs:
                quiet_for = 0
            counted[place] += quiet_for < idle_after_ms
            quiet_for += 1
        return counted
