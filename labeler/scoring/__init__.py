"""torch and timm: models, their transforms, the scoring loop, in processes of their own."""
