"""The generator of ctorch: PyTorch's operator declarations and ctorch's headers in, every emitted file out."""
