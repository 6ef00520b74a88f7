"""The Go package `ctorch`."""
