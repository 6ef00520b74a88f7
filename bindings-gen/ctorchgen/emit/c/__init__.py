"""The C of ctorch itself: declarations, bodies, constructors, what the linker exports."""
