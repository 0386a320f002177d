"""Learning: agents that get better by play."""
