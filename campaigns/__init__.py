"""Long checks that are run by hand: they take minutes to hours, and read the clock."""
