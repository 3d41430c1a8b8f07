"""The web edge: one ASGI application that serves the play page and answers for the computer."""
