// Numbers that must not depend on the machine: correctly rounded grids, and the uniform numbers of NumPy.
//
// A sine of this language may be off in its last digit. A learner that sits on a grid point would then sit beside
// it, so the grids are computed with whole numbers in fixed point, far beyond what a float holds, and rounded once.

const BITS = 240n;
const ONE = 1n << BITS;

/** arctan(1 / n) in fixed point. */
function arctanOfInverse(n) {
  let power = ONE / n;
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += (k % 4n === 1n ? power : -power) / k;
    power /= n * n;
  }
  return sum;
}

const PI = 16n * arctanOfInverse(5n) - 4n * arctanOfInverse(239n);

/** cos(pi a / b) in fixed point, for 0 <= a <= b. */
function cosine(a, b) {
  const angle = (PI * BigInt(a)) / BigInt(b);
  const square = (angle * angle) >> BITS;
  let term = ONE;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k += 2n) {
    sum += term;
    term = -((term * square) >> BITS) / (k * (k + 1n));
  }
  return sum;
}

/** The float nearest to a fixed-point number in [0, 1]: both conversions to Number round once, the division not at all. */
function nearestFloat(fixed) {
  return Number(fixed) / Number(ONE);
}

/** sin^2(pi a / 2b) = (1 - cos(pi a / b)) / 2. */
function sineSquare(a, b) {
  return nearestFloat((ONE - cosine(a, b)) / 2n);
}

/** The K + 1 points of Section 5, twin of `klcal.full_grid`. */
export function fullGrid(K) {
  const points = Array.from({ length: K + 1 }, (_, i) => sineSquare(i, K));
  points[0] = sineSquare(1, 2 * K);
  points[K] = sineSquare(2 * K - 1, 2 * K);
  return points;
}

/** The K - 1 points of Section 4, twin of `klcal.inner_grid`. */
export function innerGrid(K) {
  return Array.from({ length: K - 1 }, (_, i) => sineSquare(i + 1, K));
}

/** The ends of the cells around the points of the inner grid, twin of `klcal.forecasters.pair.pair_boundaries`. */
export function pairBoundaries(K) {
  const scale = cosine(1, 2 * K);
  const between = (i) => nearestFloat((ONE - (cosine(2 * i + 1, 2 * K) << BITS) / scale) / 2n);
  return Array.from({ length: K }, (_, i) => (i === 0 ? 0 : i === K - 1 ? 1 : between(i)));
}

/** The cell of node j of level l of the tree and its midpoint, twin of `klcal.forecasters.tree.tree_node`. */
export function treeCell(level, position) {
  const [lower, upper] = [position, position + 1].map((j) => (ONE - cosine(j, 2 ** level)) / 2n);
  return { lower: nearestFloat(lower), upper: nearestFloat(upper), point: nearestFloat((lower + upper) / 2n) };
}

/** The grid size for a horizon, twin of `klcal.resolution`. */
export function resolution(T) {
  return T === 1 ? 2 : Math.max(2, Math.ceil(Math.cbrt(T / Math.log(T))));
}

// --- the uniform numbers of numpy.random.default_rng(seed) ---------------------------------------------------

const WORD = 0xffffffffn;
const WIDE = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** NumPy's SeedSequence: spread the words of a seed over four words, and these over as many as are asked for. */
function seedWords(entropy, count) {
  let constant = 0x43b0d7e5n;
  const hash = (value) => {
    let mixed = value ^ constant;
    constant = (constant * 0x931e8875n) & WORD;
    mixed = (mixed * constant) & WORD;
    return mixed ^ (mixed >> 16n);
  };
  const mix = (x, y) => {
    const mixed = BigInt.asUintN(32, 0xca01f9ddn * x - 0x4973f715n * y);
    return mixed ^ (mixed >> 16n);
  };
  const pool = [0, 1, 2, 3].map((i) => hash(entropy[i] ?? 0n));
  for (let source = 0; source < 4; source++) {
    for (let target = 0; target < 4; target++) {
      if (source !== target) pool[target] = mix(pool[target], hash(pool[source]));
    }
  }
  for (const word of entropy.slice(4)) {
    for (let target = 0; target < 4; target++) pool[target] = mix(pool[target], hash(word));
  }
  let other = 0x8b51f9ddn;
  return Array.from({ length: count }, (_, i) => {
    let value = pool[i % 4] ^ other;
    other = (other * 0x58f38dedn) & WORD;
    value = (value * other) & WORD;
    return value ^ (value >> 16n);
  });
}

/** Spawn keys of streams: that of a forecaster's draws, as in `klcal`, and that of a first child. */
export const DRAWS = 0x6b6c6361n;
export const CHILD = 0n;

/** A function that returns the next uniform number of `numpy.random.default_rng(seed)`, or of the stream with a spawn key. */
export function uniformNumbers(seed, key) {
  const words = [];
  for (let rest = BigInt(seed); rest > 0n || words.length === 0; rest >>= 32n) words.push(rest & WORD);
  while (key !== undefined && words.length < 4) words.push(0n);
  if (key !== undefined) words.push(key);
  const [a, b, c, d, e, f, g, h] = seedWords(words, 8);
  const start = (((b << 32n) | a) << 64n) | ((d << 32n) | c);
  const stream = (((f << 32n) | e) << 64n) | ((h << 32n) | g);
  const increment = ((stream << 1n) | 1n) & WIDE;
  const step = (state) => (state * MULTIPLIER + increment) & WIDE;
  let state = step((increment + start) & WIDE);
  return () => {
    state = step(state);
    const folded = (state >> 64n) ^ (state & 0xffffffffffffffffn);
    const turn = state >> 122n;
    const word = ((folded >> turn) | (folded << (64n - turn))) & 0xffffffffffffffffn;
    return Number(word >> 11n) * 2 ** -53;
  };
}
