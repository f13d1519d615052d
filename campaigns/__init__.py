"""Long checks to run by hand: they take minutes to hours, and some measure time."""
