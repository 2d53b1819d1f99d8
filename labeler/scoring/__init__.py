"""Load models with torch and timm and score images, in worker processes."""
