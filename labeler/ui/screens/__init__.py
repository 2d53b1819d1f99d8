"""One screen per file: it builds widgets, renders a view, and forwards what a person does."""
