"""What annotators say, as tables, figures and JSON."""
