"""E-mail (.eml, .mbox, .msg): a document per message and per attachment, linked with each other."""
