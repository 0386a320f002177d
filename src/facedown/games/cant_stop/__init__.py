"""Can't Stop: four dice, eleven columns, three runners."""
