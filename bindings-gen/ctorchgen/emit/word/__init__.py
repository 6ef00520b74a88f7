"""The C of libspl_ctorch.so, every function as one of 64-bit words, and the table of its functions."""
