// Who chooses the outcomes. Adaptive opponents see the mixture of the coming round, never its draw.

import { ln } from "./elementary.mjs";
import { CHILD, uniformNumbers } from "./numbers.mjs";

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** Mass times KL(mean, point) of one cell. */
function logRegret(point, ones, zeros) {
  const mass = ones + zeros;
  let value = 0;
  if (ones > 0) value += ones * ln(ones / (mass * point));
  if (zeros > 0) value += zeros * ln(zeros / (mass * (1 - point)));
  return value;
}

function likeliest({ mixture: { members, shares } }) {
  let heaviest = 0;
  for (let s = 1; s < members.length; s++) if (shares[s] > shares[heaviest]) heaviest = s;
  return members[heaviest];
}

/** The outcome that raises KL-calibration more; 0 on a tie. */
function greedy(forecaster, expected) {
  const { points, weights, counts, mixture } = forecaster;
  let gain = 0;
  mixture.members.forEach((i, s) => {
    const [zeros, ones] = (expected ? weights : counts).map((row) => row[i]);
    const [added, weight] = expected ? [mixture.shares[s], 1] : [1, mixture.shares[s]];
    gain += weight * (logRegret(points[i], ones + added, zeros) - logRegret(points[i], ones, zeros + added));
  });
  return gain > 0 ? 1 : 0;
}

/** Push the learner of the likeliest forecast across the nearer border of its rounding cell. */
function border(forecaster) {
  const z = forecaster.points;
  const w = forecaster.leanings[likeliest(forecaster)];
  const last = z.length - 1;
  if (w < z[0]) return 1;
  if (w >= z[last]) return 0;
  let j = last - 1;
  while (w < z[j]) j--;
  return z[j + 1] - w <= w - z[j] ? 1 : 0;
}

/** Move the mean of point i further away from it; an untouched one towards the nearer end. */
function outwards({ points, counts: [zeros, ones] }, i) {
  const share = (ones[i] + zeros[i]) * points[i];
  return (ones[i] === share ? points[i] > 0.5 : ones[i] > share) ? 1 : 0;
}

/** Play along until the likeliest point has reached the level by chance, then push it. */
function peak(forecaster, level = 2) {
  const i = likeliest(forecaster);
  const [zeros, ones] = forecaster.counts.map((row) => row[i]);
  if (logRegret(forecaster.points[i], ones, zeros) >= level) return outwards(forecaster, i);
  const seen = forecaster.counts.flatMap((row) => [...row]).reduce((sum, count) => sum + count);
  return (seen * GOLDEN_RATIO) % 1 < forecaster.meanForecast() ? 1 : 0;
}

/** Oppose a certain forecast; of a mixture, push the member with the largest regret further outwards. */
function feed(forecaster) {
  const { points, counts, mixture } = forecaster;
  const members = mixture.members.filter((_, s) => mixture.shares[s] > 0);
  if (members.length === 1) return points[members[0]] < 0.5 ? 1 : 0;
  const regrets = members.map((i) => logRegret(points[i], counts[1][i], counts[0][i]));
  return outwards(forecaster, members[regrets.indexOf(Math.max(...regrets))]);
}

const adaptive = (choose) => () => choose;

/** Coin flips that equal those of `klcal.adversaries.bernoulli` with the same seed, whenever they are asked for. */
const coin = (probability) => (seed) => {
  const next = uniformNumbers(seed, CHILD);
  const flips = [];
  return (forecaster) => {
    while (flips.length <= forecaster.rounds) flips.push(next() < probability ? 1 : 0);
    return flips[forecaster.rounds];
  };
};

/** name -> (seed -> (forecaster -> outcome)); names as in `klcal.adversaries`. */
export const NATURES = {
  zeros: adaptive(() => 0),
  alternating: adaptive(({ rounds }) => rounds % 2),
  "low discrepancy": adaptive(
    ({ rounds }) => Math.floor((rounds + 1) * GOLDEN_RATIO) - Math.floor(rounds * GOLDEN_RATIO),
  ),
  "fair coin": coin(0.5),
  "coin 0.3": coin(0.3),
  "rare events": coin(0.01),
  oppose: adaptive((forecaster) => (forecaster.meanForecast() < 0.5 ? 1 : 0)),
  "threshold 0.05": adaptive((forecaster) => (forecaster.meanForecast() < 0.05 ? 1 : 0)),
  greedy: adaptive((forecaster) => greedy(forecaster, true)),
  "greedy realised": adaptive((forecaster) => greedy(forecaster, false)),
  border: adaptive(border),
  push: adaptive((forecaster) => outwards(forecaster, likeliest(forecaster))),
  peak: adaptive((forecaster) => peak(forecaster)),
  "feed the richer": adaptive(feed),
};
