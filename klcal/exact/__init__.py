"""The second implementation, in balls and fractions: nothing here is rounded without saying so."""
