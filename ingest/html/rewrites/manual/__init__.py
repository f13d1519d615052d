"""Manual pages set in one ``<pre>``: their lines, and the headings, options and paragraphs these make."""
