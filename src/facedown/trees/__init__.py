"""Whole game trees: walked, counted, estimated, and kept as flat arrays."""
