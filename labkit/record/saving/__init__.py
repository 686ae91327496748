"""Saving: a file is written whole or not at all, with the permissions that it should have.

In: bytes or a text, and a path, perhaps in a folder that others write in as well.
Out: the file, or the old one unharmed and a sentence that says why.

Read `whole_file.py` first. `permissions` and `access_list` are what a file that is replaced hands
on to the new one; `shared_folder` is how to reach a file past the links that others may put there.
"""
