"""Who may use the server, and whose a thread is."""
