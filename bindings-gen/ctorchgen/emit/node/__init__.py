"""The Node.js package `ctorch`."""
