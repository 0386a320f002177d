"""Goldens: a few games of each kind as text, which must come out the same in every mode and on every machine."""
