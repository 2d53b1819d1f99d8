"""Parts that screens are built of."""
