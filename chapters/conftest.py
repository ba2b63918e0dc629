"""nbval leaves metadata out; the records of `klcal.book.verify` live there, so it is compared too."""

collect_ignore = ["conftest.py"]


def pytest_collectstart(collector):
    """Let the collector of a notebook compare metadata."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare = tuple(key for key in collector.skip_compare if key != "metadata")
