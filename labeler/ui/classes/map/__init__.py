"""The class map: all classes on one zoomable sheet."""
