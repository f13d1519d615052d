"""Pictures that come with questions: checked, written anew, kept by content, and whose they are."""
