"""A class's place in the taxonomy on one line; where it is too long its first steps go."""

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.ui.kit.text.elided_label import ElidedLabel

_PATH_ELLIPSIS = "…" + PATH_SEPARATOR


class ElidedPath(ElidedLabel):
    """Leaves out whole steps, so that none begins in the middle of its name."""

    def _fitting(self) -> str:
        metrics, shown = self.fontMetrics(), self.text()
        steps = shown.split(PATH_SEPARATOR)
        while metrics.horizontalAdvance(shown) > self.width() and len(steps) > 1:
            steps = steps[1:]
            shown = _PATH_ELLIPSIS + PATH_SEPARATOR.join(steps)
        return metrics.elidedText(shown, self._mode, self.width())
