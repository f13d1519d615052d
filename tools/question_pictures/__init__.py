"""Pictures of questions: checked, re-encoded, stored by content, with their owners."""
