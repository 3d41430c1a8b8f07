"""Games between people as pure logic: commands in, events out; time and chance are values."""
