"""What carries out runs for the page: this process, or the LangGraph server that the page is part of."""
