"""Looking at an image through a viewport: fit, one to one, zoom at a point, move.

All lengths are pixels of the device or of the image, so that nothing is blurred by a fraction.
"""

from dataclasses import dataclass

ACTUAL_SIZE = 1.0
MAX_SCALE = 16.0

# What zooming in steps stops at, next to fit; each is a round percentage.
_STOPS = (
    *(0.02, 0.03, 0.04, 0.05, 0.0625, 0.08, 0.1, 0.125, 0.16, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8),
    *(ACTUAL_SIZE, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, MAX_SCALE),
)


@dataclass(frozen=True, slots=True)
class Viewport:
    """The room for an image in pixels of the device, of which `ratio` make a pixel of the screen.

    On an ordinary screen the ratio is 1, on a dense one 2 or a fraction.
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
    """A place on an image, or a distance from the middle of the viewport."""

    x: float
    y: float


VIEW_CENTRE = PixelPoint(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ViewTransform:
    """How an image is seen: device pixels to an image pixel, and what is in the middle."""

    scale: float
    middle: PixelPoint

    def image_point_at(self, place: PixelPoint) -> PixelPoint:
        """The point of the image at a distance from the middle of the viewport."""
        return PixelPoint(
            self.middle.x + place.x / self.scale,
            self.middle.y + place.y / self.scale,
        )

    def place_of(self, point: PixelPoint) -> PixelPoint:
        """Where a point of the image is seen, as a distance from the middle of the viewport."""
        return PixelPoint(
            (point.x - self.middle.x) * self.scale,
            (point.y - self.middle.y) * self.scale,
        )


@dataclass(frozen=True, slots=True)
class ViewGeometry:
    """An image of a size before a viewport: what can be seen of it, and how."""

    image: PixelSize
    viewport: Viewport

    @property
    def fit_scale(self) -> float:
        """The whole image as large as it fits, but no pixel of it larger than one of the screen."""
        return min(
            self.viewport.width / self.image.width,
            self.viewport.height / self.image.height,
            self.viewport.ratio,
        )

    @property
    def smallest_scale(self) -> float:
        return min(self.fit_scale, ACTUAL_SIZE)

    @property
    def fitted_size(self) -> PixelSize:
        """The image's size on the device when it fits."""
        return PixelSize(
            max(1, round(self.image.width * self.fit_scale)),
            max(1, round(self.image.height * self.fit_scale)),
        )

    def fit(self) -> ViewTransform:
        return ViewTransform(self.fit_scale, self._centre)

    def zoomed(
        self, transform: ViewTransform, scale: float, *, at: PixelPoint = VIEW_CENTRE
    ) -> ViewTransform:
        """Another scale; the point of the image at that place stays where it is seen."""
        scale = max(self.smallest_scale, min(scale, MAX_SCALE))
        held = self._on_image(transform.image_point_at(at))
        place = transform.place_of(held)
        middle = PixelPoint(held.x - place.x / scale, held.y - place.y / scale)
        return self._allowed(ViewTransform(scale, middle))

    def moved(self, transform: ViewTransform, by: PixelPoint) -> ViewTransform:
        """The view moved over the image by a distance on the device."""
        return self._allowed(ViewTransform(transform.scale, transform.image_point_at(by)))

    def kept(self, transform: ViewTransform) -> ViewTransform:
        """The same sight in this viewport, as far as it is allowed here."""
        return self.zoomed(transform, transform.scale)

    def stepped(self, scale: float, steps: int) -> float:
        """The scale so many stops further in, or by a negative number further out."""
        for _ in range(abs(steps)):
            scale = self._next_stop(scale, inward=steps > 0)
        return scale

    @property
    def _centre(self) -> PixelPoint:
        return PixelPoint(self.image.width / 2, self.image.height / 2)

    def _allowed(self, transform: ViewTransform) -> ViewTransform:
        """What is seen whole is in the middle; the middle never leaves the image."""
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
