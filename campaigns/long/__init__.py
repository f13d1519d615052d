"""Release tests that take minutes: runs on Ray, trainings in several processes, servers under load."""
