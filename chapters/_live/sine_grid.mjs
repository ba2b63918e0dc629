// The grid of Section 5 as the shadow of a semicircle, and rounding to it.

import { fullGrid } from "../_play/numbers.mjs";
import { element, frame, grip, label, line, path, picture, spaced } from "../_play/svg.mjs";
import { bring } from "./live.mjs";

/** name -> shares of the lower and the upper neighbour, twins of the schemes of `klcal.grids`. */
const SCHEMES = {
  "Algorithm 4": (w, left, right) => {
    const [low, high] = [(right - w) * (left * (1 - left)), (w - left) * (right * (1 - right))];
    return [low / (low + high), high / (low + high)];
  },
  linear: (w, left, right) => [(right - w) / (right - left), (w - left) / (right - left)],
};

/** The neighbours of w and their shares; at the ends one point takes all. */
function rounded(points, scheme, w) {
  const last = points.length - 1;
  let i = last;
  while (i >= 0 && w < points[i]) i--;
  if (i < 0 || i === last) return { neighbours: [Math.max(i, 0)], shares: [1] };
  return { neighbours: [i, i + 1], shares: SCHEMES[scheme](w, points[i], points[i + 1]) };
}

const logLoss = (p, outcome) => -Math.log(outcome === 1 ? p : 1 - p);

/** How much rounding changes the expected log loss, for either outcome. */
function changes(points, scheme, w) {
  const { neighbours, shares } = rounded(points, scheme, w);
  return [0, 1].map((y) => neighbours.reduce((sum, i, s) => sum + shares[s] * (logLoss(points[i], y) - logLoss(w, y)), 0));
}

function numbers(_, { K, w, scheme }) {
  const points = fullGrid(K);
  return { points, ...rounded(points, scheme, w), changes: changes(points, scheme, w) };
}

/** Equal angles on a semicircle, their shadow on the diameter, and the shares of w. */
function semicircle(values) {
  const { K, w } = values;
  const { points, neighbours, shares } = numbers(null, values);
  const [width, height, left, right, ground] = [340, 256, 20, 320, 178];
  const x = (p) => left + (right - left) * p;
  const high = (p) => ground - (right - left) * Math.sqrt(p * (1 - p)); // the circle above p
  const parts = [label(left, 18, "start", "equal angles, projected", "title")];
  parts.push(path("diagonal", spaced(0, Math.PI, 90).map((angle) => [x((1 - Math.cos(angle)) / 2), high((1 - Math.cos(angle)) / 2)])));
  parts.push(line("axis", left, ground, right, ground));
  points.forEach((z, i) => {
    const end = i === 0 || i === K;
    parts.push(line(end ? "boundary" : "point", x(z), high(z), x(z), ground));
    parts.push(element("circle", { class: end ? "klcal-play-mean" : "klcal-play-bar", cx: x(z), cy: high(z), r: 2.5 }));
  });
  neighbours.forEach((i, s) => {
    parts.push(element("rect", { class: "klcal-play-bar", x: x(points[i]) - 3, y: ground, width: 6, height: 45 * shares[s] }));
  });
  parts.push(label(x(w), ground - 11, "middle", "w", "title"), grip("w", "realised", x, w, ground));
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) parts.push(label(x(tick), height - 18, "middle", String(tick)));
  const words = `The grid with K = ${K}: ${K + 1} points; w = ${w} is rounded to ${neighbours.map((i) => points[i].toFixed(3)).join(" or ")}.`;
  return picture(width, height, words, parts);
}

/** What rounding changes in the expected loss of the two outcomes; the other scheme is pale behind, on the same scale. */
function costs({ K, w, scheme }) {
  const points = fullGrid(K);
  const stretched = (p) => Math.asin(Math.sqrt(p)); // inner cells are equally wide
  const { width, height, left, right, x, y, parts } = frame({
    xs: [0, 0.1, 0.5, 0.9, 1], ys: [-0.25, 0, 0.25], xname: "w", yname: "change of the expected log loss", scale: stretched,
  });
  const places = spaced(stretched(points[0]), stretched(points[K]), 400).map((angle) => Math.sin(angle) ** 2);
  const curves = (name) =>
    [["path-expected", 1], ["path-zero", 0]].map(([kind, outcome]) => path(kind, places.map((u) => [x(u), y(changes(points, name, u)[outcome])])));
  const other = Object.keys(SCHEMES).find((name) => name !== scheme);
  parts.push(element("g", { opacity: 0.3 }, curves(other).join("")), ...curves(scheme));
  const bound = -2 * Math.log(Math.cos(Math.PI / (K === 2 ? 8 : 2 * K)));
  parts.push(line("bound", left, y(bound), right, y(bound)), label((left + right) / 2, y(bound) - 7, "middle", "bound of Lemma 5", "bound-label"));
  const here = changes(points, scheme, w);
  ["zero", "bar"].forEach((kind, outcome) => parts.push(element("circle", { class: `klcal-play-${kind}`, cx: x(w), cy: y(here[outcome]), r: 5 })));
  return picture(width, height, `What rounding by ${scheme} changes in the expected log loss, blue if it rains and green if it is dry; ${other} is pale behind, and a dashed line is the bound of Lemma 5.`, parts);
}

export const FIGURE = {
  controls: [
    { range: "K", name: "grid size K", min: 2, max: 24, step: 1, value: 8 },
    { range: "w", name: "answer w", min: 0.01, max: 0.99, step: 0.01, value: 0.37 },
    { choose: "scheme", name: "rounding", options: Object.keys(SCHEMES) },
  ],
  hint: "or drag w in the picture",
  numbers,
  draw: (state, values) => {
    const told = numbers(state, values);
    const shares = told.neighbours.map((i, s) => `${told.points[i].toFixed(4)} with probability ${told.shares[s].toFixed(4)}`);
    const [zero, one] = told.changes.map((change) => change.toFixed(4));
    return {
      picture: semicircle(values) + costs(values),
      words: `w becomes ${shares.join(", ")}. The expected log loss changes by ${one} if it rains, by ${zero} if it is dry.`,
    };
  },
};
bring("sine_grid", FIGURE);
