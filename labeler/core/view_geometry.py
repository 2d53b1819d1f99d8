"""The geometry of an image in a viewport: fit, actual size, zoom at a point, pan.

All lengths are device pixels or image pixels, so that fractions don't blur the image.
"""

from dataclasses import dataclass

ACTUAL_SIZE = 1.0
MAX_SCALE = 16.0
# To fit, a small image is enlarged up to this many logical pixels per image pixel.
MAX_FIT_SCALE = 3.0

# The zoom levels besides fit; each is a round percentage.
_STOPS = (
    *(0.02, 0.03, 0.04, 0.05, 0.0625, 0.08, 0.1, 0.125, 0.16, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8),
    *(ACTUAL_SIZE, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, MAX_SCALE),
)


@dataclass(frozen=True, slots=True)
class Viewport:
    """The size of the view in device pixels, of which `ratio` make a logical pixel.

    The ratio is 1 on an ordinary screen, 2 or a fraction on a high-density one.
    """

    width: int
    height: int
    ratio: float = 1.0


@dataclass(frozen=True, slots=True)
class PixelSize:
    """The size of an image in its own pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PixelPoint:
    """A point of an image, or an offset from the centre of the viewport."""

    x: float
    y: float


VIEW_CENTRE = PixelPoint(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ViewTransform:
    """The device pixels per image pixel, and the image point at the centre of the viewport."""

    scale: float
    middle: PixelPoint

    def image_point_at(self, offset: PixelPoint) -> PixelPoint:
        """Return the image point at an offset from the centre of the viewport."""
        return PixelPoint(
            self.middle.x + offset.x / self.scale,
            self.middle.y + offset.y / self.scale,
        )

    def offset_of(self, point: PixelPoint) -> PixelPoint:
        """Return where an image point appears, as an offset from the centre of the viewport."""
        return PixelPoint(
            (point.x - self.middle.x) * self.scale,
            (point.y - self.middle.y) * self.scale,
        )


@dataclass(frozen=True, slots=True)
class ViewGeometry:
    """An image of a given size in a viewport, and the view transforms that are allowed."""

    image: PixelSize
    viewport: Viewport

    @property
    def fit_scale(self) -> float:
        """The scale at which the whole image fills the view, within `MAX_FIT_SCALE`."""
        return min(
            self.viewport.width / self.image.width,
            self.viewport.height / self.image.height,
            MAX_FIT_SCALE * self.viewport.ratio,
        )

    @property
    def smallest_scale(self) -> float:
        return min(self.fit_scale, ACTUAL_SIZE)

    @property
    def fitted_size(self) -> PixelSize:
        """The image's size in device pixels at the fit scale."""
        return PixelSize(
            max(1, round(self.image.width * self.fit_scale)),
            max(1, round(self.image.height * self.fit_scale)),
        )

    def fit(self) -> ViewTransform:
        return ViewTransform(self.fit_scale, self._centre)

    def zoomed(
        self, transform: ViewTransform, scale: float, *, at: PixelPoint = VIEW_CENTRE
    ) -> ViewTransform:
        """Return the view at another scale; the image point at `at` keeps its position."""
        scale = max(self.smallest_scale, min(scale, MAX_SCALE))
        anchor = self._on_image(transform.image_point_at(at))
        offset = transform.offset_of(anchor)
        middle = PixelPoint(anchor.x - offset.x / scale, anchor.y - offset.y / scale)
        return self._allowed(ViewTransform(scale, middle))

    def moved(self, transform: ViewTransform, by: PixelPoint) -> ViewTransform:
        """Return the view panned by a distance in device pixels."""
        return self._allowed(ViewTransform(transform.scale, transform.image_point_at(by)))

    def kept(self, transform: ViewTransform) -> ViewTransform:
        """Return the same view in this viewport, as far as it is allowed."""
        return self.zoomed(transform, transform.scale)

    def stepped(self, scale: float, steps: int) -> float:
        """Return the scale `steps` zoom levels further in, or further out if negative."""
        for _ in range(abs(steps)):
            scale = self._next_stop(scale, inward=steps > 0)
        return scale

    @property
    def _centre(self) -> PixelPoint:
        return PixelPoint(self.image.width / 2, self.image.height / 2)

    def _allowed(self, transform: ViewTransform) -> ViewTransform:
        """Return the view with a fully visible image centred, and the centre inside the image."""
        if transform.scale <= self.fit_scale:
            return ViewTransform(transform.scale, self._centre)
        return ViewTransform(transform.scale, self._on_image(transform.middle))

    def _on_image(self, point: PixelPoint) -> PixelPoint:
        return PixelPoint(
            max(0.0, min(point.x, float(self.image.width))),
            max(0.0, min(point.y, float(self.image.height))),
        )

    def _next_stop(self, scale: float, *, inward: bool) -> float:
        stops = {*_STOPS, self.fit_scale}
        if inward:
            return min((stop for stop in stops if stop > scale), default=scale)
        reachable = (stop for stop in stops if self.smallest_scale <= stop < scale)
        return max(reachable, default=scale)
