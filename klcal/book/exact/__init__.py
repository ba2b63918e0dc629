"""Rigorous arithmetic: nothing here is rounded without saying so.

- `balls` encloses extrema of functions on boxes, `certificates` ratios of bounds at all horizons at once.
- `stopping` is the forecaster that Theorem 3 forgets, counted in integers.
"""
