"""Descriptions of pictures in their files and in sidecar files, and pictures that no page shows."""
