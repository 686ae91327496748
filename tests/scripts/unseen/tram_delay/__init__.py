"""How late a tram will be at its next stops."""
