"""The Simple package `torch`."""
