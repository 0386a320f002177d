"""Love Letter."""
