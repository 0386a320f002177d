"""Game trees in files of Gambit."""
