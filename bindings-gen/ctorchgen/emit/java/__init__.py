"""The Java package `org.ctorch`."""
