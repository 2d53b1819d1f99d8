"""A surface without pixels, which keeps the texts that are painted on it."""

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QPaintDevice, QPaintEngine, QTextItem
from PySide6.QtWidgets import QWidget

_Metric = QPaintDevice.PaintDeviceMetric
_DOTS_PER_INCH = 96
_RATIO_UNIT = 65_536


def painted_texts(widget: QWidget) -> list[str]:
    """What the widget and those in it paint in letters, each run of one style by itself."""
    surface = _Surface(widget.size())
    widget.render(surface, QPoint())
    return surface.engine.texts


class _Engine(QPaintEngine):
    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts: list[str] = []

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def drawTextItem(self, _place: object, item: QTextItem) -> None:  # noqa: N802
        self.texts.append(item.text())

    def _leave_out(self, *_anything: object) -> None:
        """Neither colours nor shapes are kept."""

    updateState = drawPath = drawPolygon = _leave_out  # noqa: N815
    drawPixmap = drawImage = drawTiledPixmap = _leave_out  # noqa: N815


class _Surface(QPaintDevice):
    def __init__(self, size: QSize) -> None:
        super().__init__()
        self.engine = _Engine()
        self._metrics = {
            _Metric.PdmWidth: size.width(),
            _Metric.PdmHeight: size.height(),
            _Metric.PdmDepth: 32,
            _Metric.PdmDevicePixelRatio: 1,
            _Metric.PdmDevicePixelRatioScaled: _RATIO_UNIT,
        }

    def paintEngine(self) -> QPaintEngine:  # noqa: N802
        return self.engine

    def metric(self, wanted: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(wanted, _DOTS_PER_INCH)
