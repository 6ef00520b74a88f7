"""The Fortran module `ctorch`."""
