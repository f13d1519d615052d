"""Tests that take minutes and serve releases: runs on Ray, trainings in several processes, servers under load."""
