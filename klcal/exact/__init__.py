"""The second implementation, in balls and fractions: nothing here is rounded without saying so.

- `balls` encloses extrema of functions on boxes, `arithmetic` is what fractions and balls share.
- `cells`, `grids`, `learners`, `rounding`, `markov`, `forecasters` are the objects of the theory, written once more
  as functions from counts to mixtures and from cells to errors.
- `positions` plays Algorithm 1 with expected feedback; `induction` is one backward induction over counts, with which
  `worst_cases` solves small games against every adaptive adversary and `saddle_points` those of fractions.
- `normal_form` writes tiny games out strategy by strategy; `binomial` has exact tails and thresholds.
- `counterexamples` are losses and games that break statements.
"""
