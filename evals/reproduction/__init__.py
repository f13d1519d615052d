"""Run a published table here, and set what comes out beside what was printed."""
