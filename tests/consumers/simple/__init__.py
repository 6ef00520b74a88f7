"""The subset of the Simple language that ctorch's binding is written in: a parser, a checker and an emulator.

No Simple compiler can be installed from a package registry, so the binding is proven without one. `parser` reads the
subset, `checker` looks for what a compiler would refuse, and `interpreter` runs programs over `transport`, which calls
the library only as Simple's run-time loader does.
"""
