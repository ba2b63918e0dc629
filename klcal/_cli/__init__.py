"""The commands behind ``python -m klcal``: each module knows one, and gives back an exit status."""
