"""Fuzzes the targets of scripts/mutator-targets in several ways and compares what was reached."""
