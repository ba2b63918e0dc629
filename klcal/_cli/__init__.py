"""The commands behind ``python -m klcal``: each module knows one, and returns an exit status."""
