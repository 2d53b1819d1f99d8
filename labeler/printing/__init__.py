"""Documents from a template and plain data: the printed guide and the report share it."""
