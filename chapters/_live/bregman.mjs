// The Bregman divergence of a loss: the gap between its univariate form and a tangent.

import { frame, grip, label, line, path, picture, spaced } from "../_play/svg.mjs";
import { bring } from "./live.mjs";

const xlogx = (p) => (p === 0 ? 0 : p * Math.log(p));

/** name, as people write it -> univariate form f, its slope and its range. */
const LOSSES = {
  squared: { f: (p) => p * (1 - p), slope: (p) => 1 - 2 * p, ys: [0, 0.25, 0.5] },
  log: { f: (p) => -xlogx(p) - xlogx(1 - p), slope: (p) => Math.log((1 - p) / p), ys: [0, 0.5, 1] },
  spherical: { f: (p) => -Math.hypot(p, 1 - p), slope: (p) => (1 - 2 * p) / Math.hypot(p, 1 - p), ys: [-1, -0.8, -0.6] },
  "Tsallis, α = 1.5": { f: (p) => -(p ** 1.5), slope: (p) => -1.5 * Math.sqrt(p), ys: [-1, -0.5, 0, 0.5] },
  "Tsallis, α = 3": { f: (p) => -(p ** 3) / 2, slope: (p) => -1.5 * p * p, ys: [-0.5, 0, 0.5] },
  "V-shaped": { f: (p) => -2 * Math.abs(p - 0.5), slope: (p) => -2 * Math.sign(p - 0.5), ys: [-1, 0, 1] },
};

/** A loss in a sentence: "the squared loss", "the Tsallis loss with α = 3". */
function named(loss) {
  const [kind, number] = loss.split(", ");
  return `the ${kind} loss${number ? ` with ${number}` : ""}`;
}

/** f(p) + f'(p) (rho - p) - f(rho). */
function breg({ f, slope }, rho, p) {
  return rho === p ? 0 : f(p) + slope(p) * (rho - p) - f(rho);
}

function numbers(_, { loss, p, rho }) {
  const { f, slope } = LOSSES[loss];
  return { entropy: f(rho), slope: slope(p), breg: breg(LOSSES[loss], rho, p), kl: breg(LOSSES.log, rho, p) };
}

/** The univariate form, its tangent at p, and the gap at rho. */
function tangentPicture(values) {
  const { loss, p, rho } = values;
  const { f, slope, ys } = LOSSES[loss];
  const axes = frame({ xs: [0, 0.25, 0.5, 0.75, 1], ys, xname: "probability", yname: `f of ${named(loss)}, and a tangent` });
  const { x, y, parts } = axes;
  const tangent = (u) => f(p) + slope(p) * (u - p);
  const seen = (v) => v >= ys[0] && v <= ys.at(-1);
  parts.push(path("path-expected", spaced(0, 1, 200).map((u) => [x(u), y(f(u))])));
  parts.push(path("tangent", spaced(0, 1, 200).filter((u) => seen(tangent(u))).map((u) => [x(u), y(tangent(u))])));
  parts.push(line("gap", x(rho), y(f(rho)), x(rho), y(Math.min(tangent(rho), ys.at(-1)))));
  parts.push(label(x(rho), y(f(rho)) + 19, "middle", "ρ", "title"), label(x(p), y(f(p)) - 11, "middle", "p", "title"));
  parts.push(grip("rho", "bar", x, rho, y(f(rho))), grip("p", "idle", x, p, y(f(p))));
  const words = `Univariate form of ${named(loss)}, its tangent at p = ${p}, and the gap at rho = ${rho}.`;
  return picture(axes.width, axes.height, words, parts);
}

/** The divergence as a function of p, beside KL. */
function divergencePicture({ loss, p, rho }) {
  const ys = [0, 0.25, 0.5, 0.75, 1];
  const axes = frame({ xs: ys, ys, xname: "forecast p", yname: "divergence from ρ" });
  const { x, y, parts } = axes;
  for (const [kind, name] of [["path-expected", loss], ["tangent", "log"]]) {
    if (kind === "tangent" && loss === "log") continue;
    // A jump or a steep end leaves the picture; only what is inside is drawn.
    const inside = spaced(0.002, 0.998, 249).map((u) => [u, breg(LOSSES[name], rho, u)]).filter(([, v]) => v <= 1);
    parts.push(path(kind, inside.map(([u, v]) => [x(u), y(v)])));
  }
  const here = breg(LOSSES[loss], rho, p);
  if (here <= 1) parts.push(grip("p", "idle", x, p, y(here)));
  return picture(axes.width, axes.height, `The divergence of ${named(loss)} from rho = ${rho} for all p; dashed KL.`, parts);
}

export const FIGURE = {
  controls: [
    { choose: "loss", name: "loss", options: Object.keys(LOSSES) },
    { range: "p", name: "forecast p", min: 0.01, max: 0.99, step: 0.01, value: 0.2 },
    { range: "rho", name: "frequency ρ", min: 0.01, max: 0.99, step: 0.01, value: 0.6 },
  ],
  hint: "or drag p and ρ in the picture",
  numbers,
  draw: (state, values) => {
    const told = numbers(state, values);
    return {
      picture: tangentPicture(values) + divergencePicture(values),
      words: `The gap of ${named(values.loss)} is ${told.breg.toFixed(4)}; that of the log loss, KL(ρ, p), is ${told.kl.toFixed(4)}.`,
    };
  },
};
bring("bregman", FIGURE);
