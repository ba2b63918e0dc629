"""Compiled loops that only the pages use, made as those of `klcal._kernels` are."""
