"""``python -m labkit``: the command line, for where its folder is not on the path."""

from labkit.cli import main

if __name__ == "__main__":
    main()
