"""Folders that a user names on the command line."""

import os


def make(parser, asked, *options):
    """Creates the folders that these options name, before any long work; one that can not be used is an error of usage.
    Their paths become absolute, since the tools are started elsewhere."""
    for option in options:
        folder = getattr(asked, option)
        if folder is None:
            continue
        setattr(asked, option, os.path.abspath(folder))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            parser.error(f"--{option}: {folder} can not be created: {error.strerror}")
        if not os.access(folder, os.W_OK | os.X_OK):
            parser.error(f"--{option}: {folder} can not be written to")
