"""The demo corpus and its questions, shipped with the package; `drawing` makes its pictures and is not shipped."""
