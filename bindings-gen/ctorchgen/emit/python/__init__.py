"""The Python package `ctorch`."""
