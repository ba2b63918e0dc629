// KL-calibration of a forecaster's cells, and the bounds that it is promised to stay below.

/** (1 + u) log(1 + u) - u, never negative; a series where the difference would lose digits. */
function excess(u) {
  if (u <= -1) return 1;
  if (Math.abs(u) > 0.1) return (1 + u) * Math.log1p(u) - u;
  let [sum, power] = [0, u * u];
  for (let k = 2; k <= 18; k++) {
    sum += power / (k * (k - 1));
    power *= -u;
  }
  return sum;
}

/** KL(rho, z) of two coins, for 0 < z < 1. */
function divergence(rho, z) {
  return z * excess((rho - z) / z) + (1 - z) * excess((z - rho) / (1 - z));
}

/** The sum of mass times KL(mean, point): KLCal of drawn counts, PKLCal of expected weights. */
export function klCalibration(points, [zeros, ones]) {
  let total = 0;
  points.forEach((z, i) => {
    const mass = ones[i] + zeros[i];
    if (mass > 0) total += mass * divergence(ones[i] / mass, z);
  });
  return total;
}

/** Theorem 2 with explicit constants, on every path; twin of `klcal.bounds.theorem_2`. */
export function theoremTwo(T, K) {
  const angle = K === 2 ? Math.PI / 8 : Math.PI / (2 * K);
  return (K + 1) * Math.log1p(T / (K + 1)) + T * Math.tan(angle) ** 2;
}

/** KLCal of PAIR, for all rounds at once with probability 1 - delta; twin of `klcal.bounds.pair`. */
export function pairBound(T, K, delta) {
  const used = Math.min(T, K - 1);
  const gridCost = -Math.log1p(-(Math.sin(Math.PI / (2 * K)) ** 2));
  return used * Math.log((4 * T) / used) + T * gridCost - 2 * Math.log(delta);
}

/** KLCal of the tree from its own counts, for all rounds at once with probability 1 - delta; twin of `klcal.bounds.tree_from_counts`. */
export function treeBound({ counts: [zeros, ones], levels }, delta) {
  let total = 2 * Math.log(2 / delta);
  levels.forEach((level, i) => {
    const rounds = ones[i] + zeros[i];
    const slack = Math.log1p(Math.sin(Math.PI / 2 ** (level + 1)) ** 2);
    if (rounds > 0) total += Math.log(4 * rounds) + rounds * slack;
  });
  return total;
}
