"""Two images in views of equal size that zoom and pan in step, and a way to flip between them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from labeler.core.labeling.blind_types import BlindImage
from labeler.core.view_geometry import PixelPoint, ViewTransform
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.pictures.image_canvas import ImageCanvas
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_MARGIN = 8


class CaptionedCanvas(ImageCanvas):
    """An image with its name in a corner."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self.caption: QLabel = label(rank="caption")
        self.caption.setParent(self)
        self.caption.setProperty("kind", "on_picture")
        self.caption.setAutoFillBackground(True)
        self.caption.setMargin(4)
        self.caption.move(_MARGIN, _MARGIN)
        self.caption.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_named(self, name: str, pixels: ImagePyramid | None, key: str) -> None:
        self.caption.setText(name)
        self.caption.adjustSize()
        self.caption.setVisible(bool(name))
        self.setAccessibleName(name)
        self.show_image(None if pixels is None else BlindImage(key, pixels))


# The name that is shown, the pixels once they are loaded, and what identifies the image.
NamedImage = tuple[str, ImagePyramid | None, str]


class ImagePairView(QWidget):
    """The candidate above its neighbour; flipped, both views change places."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.upper_view, self.lower_view = CaptionedCanvas(appearance), CaptionedCanvas(appearance)
        self._shown: list[NamedImage] = [("", None, ""), ("", None, "")]
        self._flipped = False
        self._following = False
        for canvas in (self.upper_view, self.lower_view):
            canvas.setMinimumSize(240, 160)
        vbox(grow(self.upper_view), grow(self.lower_view), on=self, spacing=2)
        self.upper_view.transform_changed.connect(
            lambda: self._follow(self.upper_view, self.lower_view)
        )
        self.lower_view.transform_changed.connect(
            lambda: self._follow(self.lower_view, self.upper_view)
        )

    @property
    def is_flipped(self) -> bool:
        return self._flipped

    def show_pair(self, candidate: NamedImage, neighbour: NamedImage) -> None:
        """Show two images; the view stays for another neighbour, and fits another candidate."""
        same = candidate[2] == self._shown[0][2]
        self._flipped = self._flipped and same
        self._shown = [candidate, neighbour]
        self._render(keeps_view=same)

    def flip(self) -> None:
        """Swap the images in place, so that the eye sees what differs."""
        self._flipped = not self._flipped
        self._render(keeps_view=True)

    def reset(self) -> None:
        """Show the candidate above again."""
        self._flipped = False
        self._render(keeps_view=True)

    def zoom(self, steps: int) -> None:
        """Zoom both images."""
        self.upper_view.zoom(steps)

    def fit(self) -> None:
        self.upper_view.fit()
        self.lower_view.fit()

    def _render(self, *, keeps_view: bool) -> None:
        first, second = self._shown[::-1] if self._flipped else self._shown
        views = (_relative_view(self.upper_view), _relative_view(self.lower_view))
        view = next((v for v in views if v is not None), None) if keeps_view else None
        self._following = True
        self.upper_view.show_named(*first)
        self.lower_view.show_named(*second)
        for canvas in (self.upper_view, self.lower_view):
            if view is None:
                canvas.fit()
            else:
                _see_relative(canvas, view)
        self._following = False

    def _follow(self, moved: ImageCanvas, other: ImageCanvas) -> None:
        if self._following:
            return
        self._following = True
        view = _relative_view(moved)
        if view is None:
            other.fit()
        else:
            _see_relative(other, view)
        self._following = False


# The scale relative to fit, and the centre as shares of the image.
RelativeView = tuple[float, float, float]


def _relative_view(canvas: ImageCanvas) -> RelativeView | None:
    geometry, transform = canvas.view_geometry, canvas.transform
    if geometry is None or transform is None or canvas.fits:
        return None
    return (
        transform.scale / geometry.fit_scale,
        transform.middle.x / geometry.image.width,
        transform.middle.y / geometry.image.height,
    )


def _see_relative(canvas: ImageCanvas, view: RelativeView) -> None:
    geometry = canvas.view_geometry
    if geometry is None:
        return
    scale, x, y = view
    middle = PixelPoint(x * geometry.image.width, y * geometry.image.height)
    canvas.see(geometry.kept(ViewTransform(scale * geometry.fit_scale, middle)))
