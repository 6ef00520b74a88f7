"""The crates `ctorch` and `ctorch-sys`."""
