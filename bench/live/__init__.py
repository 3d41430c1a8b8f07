"""People at the live server, played by programs: for load runs, crash runs and attacks."""
