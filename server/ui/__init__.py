"""The page: ask questions, watch runs, read sources, manage runs and corpora in a browser."""
