"""Parser of Jupyter notebooks (.ipynb): Markdown, code, printed and drawn outputs."""
