"""Do names lead to code? Sample pieces of code with masked names, for a reader who sees the tree and the README only.

    python -m campaigns.placement SEED FOLDER

FOLDER gets README.md, tree.txt and pieces.md, which are given to the reader, and key.json, which is not.
"""
