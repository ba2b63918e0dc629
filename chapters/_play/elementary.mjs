// Logarithm and exponential that give the same bits in every browser, twins of `klcal._kernels.elementary`.
//
// Math.log and Math.exp may differ in the last digit from one engine to the next, and a nature that compares sums of
// logarithms could then choose another outcome. Additions, multiplications and divisions are rounded alike everywhere.

const LN2_HIGH = 2977044471 * 2 ** -32;
const LN2_LOW = 3691024475790907 * 2 ** -84;
const INVERSE_LN2 = 3248660424278399 * 2 ** -51;
const SQRT_HALF_BITS = 0x3fe6a09e667f3bcdn;

const float = new Float64Array(1);
const bitsOfFloat = new BigInt64Array(float.buffer);

function toBits(x) {
  float[0] = x;
  return bitsOfFloat[0];
}

function fromBits(bits) {
  bitsOfFloat[0] = bits;
  return float[0];
}

/** The natural logarithm, off by less than one unit in the last place. */
export function ln(x) {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  const subnormal = x < 2 ** -1022;
  const bits = toBits(subnormal ? x * 2 ** 54 : x);
  const order = (bits - SQRT_HALF_BITS) >> 52n;
  const k = (subnormal ? -54 : 0) + Number(order);
  const f = fromBits(bits - (order << 52n)) - 1;
  const s = f / (2 + f);
  const z = s * s;
  let series = 2 / 23;
  for (let odd = 21; odd >= 3; odd -= 2) series = series * z + 2 / odd;
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + series * z) + k * LN2_LOW) - f);
}

/** 2 to the power k, for -1022 <= k <= 1023. */
function powerOfTwo(k) {
  return fromBits(BigInt(k + 1023) << 52n);
}

/** The exponential, off by less than one unit in the last place, or by the least positive number. */
export function exp(x) {
  if (!(x > -746)) return x <= -746 ? 0 : NaN;
  if (x > 710) return Infinity;
  const k = Math.floor(x * INVERSE_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  let series = 1 / 6227020800;
  for (let n = 13, factorial = 6227020800; n > 2; n--) {
    factorial /= n;
    series = series * r + 1 / factorial;
  }
  const lost = high - r - low;
  const total = 1 + (r + (series * (r * r) + lost));
  const first = Math.floor(k / 2);
  return total * powerOfTwo(first) * powerOfTwo(k - first);
}
