"""The figures of a report, drawn with matplotlib without a screen."""
