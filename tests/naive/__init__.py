"""Slow twins: every game once more, with lists and objects, written from the rule text and not from the game file."""
