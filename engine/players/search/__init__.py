"""How house players look ahead: they sample the hidden cards and play the games out."""
