"""How house players look ahead: they sample possible games and play them on."""
