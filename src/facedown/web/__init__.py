"""The web lab: pages to play with agents, to see what is known, believed and chosen, and to watch experiments."""
