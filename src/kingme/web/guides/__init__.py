"""The pages that explain the game: rules, strategy, questions, variants, notation."""
