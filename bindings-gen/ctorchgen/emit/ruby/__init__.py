"""The gem `ctorch`."""
