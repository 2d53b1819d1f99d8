"""How participants are called and ordered in tables and figures."""

from collections.abc import Iterable

from labeler.core.metrics.report_contents import ReportContents
from labeler.core.study.entities import ParticipantKind


class ParticipantNames:
    """People by their code, and by their name too where the lead asked for names."""

    def __init__(self, contents: ReportContents) -> None:
        self._names = contents.names
        self._humans = set(contents.numbers.study.humans)

    def __call__(self, code: str) -> str:
        name = self._names.get(code)
        return f"{code} ({name})" if name else code

    def kind(self, code: str) -> ParticipantKind:
        return ParticipantKind.HUMAN if code in self._humans else ParticipantKind.MODEL


def best_first(shares: dict[str, float], codes: Iterable[str]) -> list[str]:
    """Codes that have a share, the largest first, equal ones in their own order."""
    known = [code for code in codes if code in shares]
    return sorted(known, key=lambda code: -shares[code])
