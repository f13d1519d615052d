"""Tests for releases that take minutes: runs on Ray, trainings in several processes, servers under load."""
