"""Rewrite manual pages in one ``<pre>`` to headings, options and paragraphs."""
