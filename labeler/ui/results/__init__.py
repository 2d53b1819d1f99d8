"""Results: tables, figures, images, the report."""
