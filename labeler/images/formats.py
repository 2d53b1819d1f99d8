"""The image formats that are read, and the file names that promise them."""

# Only these parsers ever see a file: some others in Pillow start outside programs.
READABLE_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM")

FORMAT_BY_EXTENSION = {
    ".jpeg": "JPEG",
    ".jpg": "JPEG",
    ".jpe": "JPEG",
    ".jfif": "JPEG",
    ".png": "PNG",
    ".apng": "PNG",
    ".gif": "GIF",
    ".webp": "WEBP",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".ppm": "PPM",
    ".pgm": "PPM",
    ".pbm": "PPM",
    ".pnm": "PPM",
}
