"""Finding, identifying, decoding, tiling and composing images."""
