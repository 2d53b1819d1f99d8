"""A class's place in the taxonomy on one line; where it is too long its first steps go."""

from labeler.app.classes.class_view import STEP
from labeler.ui.kit.text.elided_label import ElidedLabel

_HIDDEN_STEPS = "…" + STEP


class ElidedPath(ElidedLabel):
    """Leaves out whole steps, so that none begins in the middle of its name."""

    def _fitting(self) -> str:
        metrics, shown = self.fontMetrics(), self.text()
        steps = shown.split(STEP)
        while metrics.horizontalAdvance(shown) > self.width() and len(steps) > 1:
            steps = steps[1:]
            shown = _HIDDEN_STEPS + STEP.join(steps)
        return metrics.elidedText(shown, self._mode, self.width())
