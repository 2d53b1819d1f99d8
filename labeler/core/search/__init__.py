"""The class search: from what is typed to ranked classes, with what matched marked."""
