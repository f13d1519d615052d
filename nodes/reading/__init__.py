"""What deciders and answers read of components: contents, pictures, citations."""
