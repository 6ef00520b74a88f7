"""Comparisons of ctorch with the PyTorch of the same process."""
