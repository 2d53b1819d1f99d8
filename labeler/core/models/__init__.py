"""Models' outputs: classes, order of images, what a scoring run yields."""
