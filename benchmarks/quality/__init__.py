"""How good the answers are: annotated questions, asked through the public API, and the scores of the answers."""
