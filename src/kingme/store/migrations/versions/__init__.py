"""One module a step, by number."""
