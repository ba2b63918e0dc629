// Algorithm 1 and PAIR, round by round. Same operations in the same order as the engines of klcal, so the same bits.

import { fullGrid, innerGrid, pairBoundaries } from "./numbers.mjs";

/** Add to one of some compensated sums (Kahan). */
export function addWeight(sums, carries, i, weight) {
  if (weight <= 0) return;
  const corrected = weight - carries[i];
  const total = sums[i] + corrected;
  carries[i] = total - sums[i] - corrected;
  sums[i] = total;
}

/** What all forecasters share: how to draw. */
export class Forecaster {
  constructor() {
    this.rounds = 0;
    this.mixture = null; // of the coming round: `members` in increasing order and their `shares`
  }

  /** The first member whose cumulative probability exceeds the uniform number. */
  draw(uniform) {
    const { members, shares } = this.mixture;
    let cumulative = 0;
    for (let s = 0; s < members.length - 1; s++) {
      cumulative += shares[s];
      if (uniform < cumulative) return members[s];
    }
    return members[members.length - 1];
  }

  /** The mean of the coming forecast. */
  meanForecast() {
    const { members, shares } = this.mixture;
    const points = this.points;
    return members.reduce((mean, i, s) => mean + shares[s] * points[i], 0);
  }
}

/** A forecaster with a fixed grid, and the mass that each of its points has met with either outcome. */
class GridForecaster extends Forecaster {
  constructor(points) {
    super();
    const zeros = () => new Float64Array(points.length);
    this.points = points;
    this.weights = [zeros(), zeros()]; // expected mass by outcome; its sums are compensated (Kahan)
    this.carries = [zeros(), zeros()];
    this.counts = [zeros(), zeros()]; // drawn forecasts by outcome
    this.leanings = zeros().fill(0.5);
  }

  /** All forecasts so far with their masses; a tree has more of them than its active points. */
  everything() {
    return this;
  }

  /** End a round: point `index` was drawn and `outcome` happened. */
  update(index, outcome) {
    const { members, shares } = this.mixture;
    const [sums, carries] = [this.weights[outcome], this.carries[outcome]];
    members.forEach((i, s) => addWeight(sums, carries, i, shares[s]));
    this.counts[outcome][index] += 1;
    this.rounds += 1;
    this.learn(index);
    this.mixture = this.nextMixture();
  }
}

/** Algorithm 1 of the paper: Blum-Mansour with one EWOO learner per point, twin of `klcal.forecasters.algorithm_1.BlumMansour`. */
export class AlgorithmOne extends GridForecaster {
  constructor(K) {
    super(fullGrid(K));
    this.rows = this.points.map(() => ({ cell: -1, low: 0, high: 0 }));
    this.classMembers = null;
    this.points.forEach((_, i) => this.round(i));
    this.mixture = this.nextMixture();
  }

  /** Round the leaning of learner i to the grid (Algorithm 4, clamped at the ends). */
  round(i) {
    const z = this.points;
    const w = this.leanings[i];
    const last = z.length - 1;
    let j = last;
    while (j >= 0 && w < z[j]) j--;
    let [low, high] = [1, 0];
    if (j >= 0 && j < last) {
      const down = (z[j + 1] - w) * (z[j] * (1 - z[j]));
      const up = (w - z[j]) * (z[j + 1] * (1 - z[j + 1]));
      const total = down + up;
      [low, high] = [down / total, up / total];
    }
    const cell = Math.max(j, 0);
    const old = this.rows[i];
    // Which classes are closed depends on the zeros of the matrix alone.
    if (cell !== old.cell || high > 0 !== old.high > 0) this.classMembers = null;
    this.rows[i] = { cell, low, high };
  }

  /** The members of the last mixture lean to the means of their Beta distributions. */
  learn() {
    const [zeros, ones] = this.weights;
    for (const i of this.mixture.members) {
      this.leanings[i] = (ones[i] + 1) / (ones[i] + zeros[i] + 2);
      this.round(i);
    }
  }

  transition(i, j) {
    const { cell, low, high } = this.rows[i];
    return j === cell ? low : j === cell + 1 ? high : 0;
  }

  /** All states that can be reached from i. */
  reachable(i) {
    const seen = new Set([i]);
    for (const j of seen) {
      const { cell, low, high } = this.rows[j];
      if (low > 0) seen.add(cell);
      if (high > 0) seen.add(cell + 1);
    }
    return seen;
  }

  /** The closed class with the lowest member: the first state to which everything it reaches leads back. */
  lowestClosedClass() {
    const reached = this.points.map((_, i) => this.reachable(i));
    const first = reached.findIndex((states, i) => [...states].every((j) => reached[j].has(i)));
    return [...reached[first]].sort((a, b) => a - b);
  }

  nextMixture() {
    this.classMembers ??= this.lowestClosedClass();
    const members = this.classMembers;
    const rates = members.map((i) => members.map((j) => this.transition(i, j)));
    return { members, shares: stationary(rates) };
  }
}

/** The stationary distribution of an irreducible chain: by trees up to three states, by elimination beyond. */
function stationary(rates) {
  if (rates.length > 3) return eliminated(rates);
  const weights = byTrees(rates);
  const total = weights.reduce((sum, weight) => sum + weight);
  return weights.map((weight) => weight / total);
}

function byTrees(rates) {
  if (rates.length === 1) return [1];
  if (rates.length === 2) return [rates[1][0], rates[0][1]];
  const [[, ab, ac], [ba, , bc], [ca, cb]] = rates;
  return [ba * ca + ba * cb + ca * bc, ab * cb + ab * ca + cb * ac, ac * bc + ac * ba + bc * ab];
}

/** Grassmann-Taksar-Heyman elimination: no subtractions. */
function eliminated(rates) {
  const n = rates.length;
  for (let k = n - 1; k > 0; k--) {
    let leaving = rates[k][0];
    for (let j = 1; j < k; j++) leaving += rates[k][j];
    for (let i = 0; i < k; i++) {
      rates[i][k] /= leaving;
      for (let j = 0; j < k; j++) rates[i][j] += rates[i][k] * rates[k][j];
    }
  }
  const weights = [1];
  let total = 1;
  for (let k = 1; k < n; k++) {
    let weight = weights[0] * rates[0][k];
    for (let i = 1; i < k; i++) weight += weights[i] * rates[i][k];
    weights.push(weight);
    total += weight;
  }
  return weights.map((weight) => weight / total);
}

/** PAIR: a point whose mean lies in its cell, or two neighbours whose means balance; twin of `klcal.forecasters.pair.FastPair`. */
export class Pair extends GridForecaster {
  constructor(K) {
    super(innerGrid(K));
    this.boundaries = pairBoundaries(K);
    this.mixture = this.nextMixture();
  }

  /** The drawn point leans to its new Krichevsky-Trofimov mean. */
  learn(index) {
    const [zeros, ones] = this.counts;
    this.leanings[index] = (ones[index] + 0.5) / (ones[index] + zeros[index] + 1);
  }

  nextMixture() {
    const [w, m] = [this.leanings, this.boundaries];
    const inside = this.points.findIndex((_, i) => m[i] <= w[i] && w[i] <= m[i + 1]);
    if (inside >= 0) return { members: [inside], shares: [1] };
    const i = this.points.findIndex((_, k) => w[k] > m[k + 1] && m[k + 1] > w[k + 1]);
    const up = m[i + 1] - w[i + 1];
    const down = w[i] - m[i + 1];
    return { members: [i, i + 1], shares: [up / (up + down), down / (up + down)] };
  }
}
