"""Composing demo pictures from cut-outs, each with a truth that is known."""
