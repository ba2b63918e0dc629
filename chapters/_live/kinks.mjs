// A bounded loss with three kinks, and its swap regret in one game.

import { Pair } from "../_play/forecasters.mjs";
import { frame, grip, label, line, path, picture, roundedUp, spaced } from "../_play/svg.mjs";
import { bring } from "./live.mjs";
import { answered, newGame } from "./stepping.mjs";

const [K, ROUNDS, NATURE] = [6, 400, "greedy realised"];

/** The cells of the game: forecast, rounds, frequency of ones. */
function begin() {
  let state = newGame(new Pair(K));
  for (let t = 0; t < ROUNDS; t++) state = answered(state, NATURE);
  const { points, counts: [zeros, ones] } = state.player;
  const cells = points.map((p, i) => ({ p, mass: ones[i] + zeros[i], rho: ones[i] / (ones[i] + zeros[i]) }));
  return { outcomes: state.outcomes, cells: cells.filter(({ mass }) => mass > 0) };
}

/** The regret against one unit of bend at u; both ends of a cell's interval count. */
function profile(cells, u) {
  const between = ({ p, rho }) => Math.min(p, rho) <= u && u <= Math.max(p, rho);
  return cells.filter(between).reduce((sum, { mass, rho }) => sum + mass * Math.abs(rho - u), 0);
}

/** The heights of equal kinks for which the loss just fits into [-1, 1]. */
function height(kinks) {
  const [low, high] = [(v) => v, (v) => 1 - v].map((part) => kinks.reduce((sum, v) => sum + part(v), 0));
  return 1 / Math.max(low, high);
}

/** The swap regret of the loss with these kinks. */
function swapRegret(cells, kinks) {
  const gap = (p, rho, v) => Math.abs(rho - v) - Math.sign(p - v) * (rho - v);
  const divergence = ({ p, rho }) => kinks.reduce((sum, v) => sum + gap(p, rho, v), 0);
  return height(kinks) * cells.reduce((sum, cell) => sum + cell.mass * divergence(cell), 0);
}

/** The largest swap regret of all bounded losses: four times the concave envelope of the profile at 1/2. */
function largest(cells) {
  const breaks = [0, 1, ...cells.flatMap(({ p, rho }) => [p, rho])].map((u) => [u, profile(cells, u)]);
  let most = profile(cells, 0.5);
  for (const [a, low] of breaks.filter(([u]) => u < 0.5)) {
    for (const [b, high] of breaks.filter(([u]) => u > 0.5)) most = Math.max(most, (low * (b - 0.5) + high * (0.5 - a)) / (b - a));
  }
  return 4 * most;
}

const NAMES = ["first", "second", "third"];
const kinksOf = (values) => NAMES.map((name) => values[name]);

function numbers({ outcomes, cells }, values) {
  const kinks = kinksOf(values);
  return { outcomes, regret: swapRegret(cells, kinks), largest: largest(cells), profile: kinks.map((u) => profile(cells, u)) };
}

function profilePicture(cells, kinks) {
  const ends = cells.flatMap(({ p, rho }) => [p, rho]);
  const places = [...spaced(0, 1, 300), ...ends.flatMap((u) => [u - 1e-9, u, u + 1e-9])].filter((u) => u >= 0 && u <= 1).sort((a, b) => a - b);
  const top = roundedUp(Math.max(1, ...places.map((u) => profile(cells, u))));
  const axes = frame({ xs: [0, 0.25, 0.5, 0.75, 1], ys: [0, top / 2, top], xname: "place of the kink", yname: "regret for one kink" });
  const { x, y, parts, bottom } = axes;
  parts.push(path("path-expected", places.map((u) => [x(u), y(profile(cells, u))])));
  for (const u of kinks) parts.push(line("gap", x(u), bottom, x(u), y(profile(cells, u))));
  kinks.forEach((u, i) => parts.push(grip(NAMES[i], "mean", x, u, y(profile(cells, u)))));
  return picture(axes.width, axes.height, `Regret for one kink at each place; kinks at ${kinks.join(", ")}.`, parts);
}

function lossPicture(kinks) {
  const axes = frame({ xs: [0, 0.25, 0.5, 0.75, 1], ys: [-1, 0, 1], xname: "forecast", yname: "loss" });
  const { x, y, parts, bottom } = axes;
  const places = [0, ...[...kinks].sort((a, b) => a - b).flatMap((v) => [v - 1e-9, v + 1e-9]), 1];
  for (const [kind, outcome] of [["path-expected", 1], ["path-zero", 0]]) {
    const loss = (p) => height(kinks) * kinks.reduce((sum, v) => sum - Math.sign(p - v) * (outcome - v), 0);
    parts.push(path(kind, places.map((p) => [x(p), y(loss(p))])));
    parts.push(label(x(1), y(loss(1)) - 6, "end", `if ${outcome} happens`));
  }
  kinks.forEach((v, i) => parts.push(grip(NAMES[i], "mean", x, v, bottom)));
  return picture(axes.width, axes.height, "The loss as a function of the forecast, blue if 1 happens and green if 0 happens.", parts);
}

const slider = (range, name, value) => ({ range, name, min: 0.005, max: 0.995, step: 0.01, value });

export const FIGURE = {
  controls: [slider("first", "first kink", 0.055), slider("second", "second kink", 0.205), slider("third", "third kink", 0.605)],
  hint: "or drag the kinks in the pictures",
  begin,
  numbers,
  draw: (state, values) => {
    const told = numbers(state, values);
    return {
      picture: profilePicture(state.cells, kinksOf(values)) + lossPicture(kinksOf(values)),
      words: `Swap regret of this loss: ${told.regret.toFixed(2)}. The largest of all bounded proper losses: ${told.largest.toFixed(2)}.`,
    };
  },
};
bring("kinks", FIGURE);
