"""Policies: how likely each action is in each information set, in files and in words."""
