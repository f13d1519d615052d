"""Messages, progress events and pictures that pass between a run and its clients."""
