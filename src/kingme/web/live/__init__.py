"""Games between people on this server: sockets, the lobby, and the games in memory."""
