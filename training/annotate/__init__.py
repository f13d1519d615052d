"""Annotation of questions for planners, its journal, and the export of rows."""
