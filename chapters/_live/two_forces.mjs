// Theorem 2 as two forces: more cells mean more to learn and less to round.

import { fullGrid, resolution } from "../_play/numbers.mjs";
import { element, grip, label, line, path, picture, spaced } from "../_play/svg.mjs";
import { bring } from "./live.mjs";
import { PLAYED, PLAYED_LONG } from "./played.mjs";

const learning = (T, K) => (K + 1) * Math.log1p(T / (K + 1));
const rounding = (T, K) => T * Math.tan(Math.PI / (2 * K)) ** 2; // for K = 2 the theorem has another angle
const both = (T, K) => learning(T, K) + rounding(T, K);

const [FEWEST, MOST] = [3, 1000]; // cells
const [SHORTEST, LONGEST_GAME] = [2, 8]; // powers of ten

/** The K with the smallest bound; as soon as learning alone costs more, no later one can have it. */
function bestCells(T) {
  let best = FEWEST;
  for (let K = FEWEST; learning(T, K) < both(T, best); K++) if (both(T, K) < both(T, best)) best = K;
  return best;
}

const BEST = new Map(spaced(SHORTEST, LONGEST_GAME, 120).map((power) => [power, bestCells(Math.round(10 ** power))]));

/** The next K up or down: one cell, or a twentieth of them. */
function beside(logK, by) {
  const K = Math.round(10 ** logK);
  return Math.log10(Math.min(MOST, Math.max(FEWEST, K + by * Math.max(1, Math.round(K / 20)))));
}

const chosen = ({ logT, logK }) => ({ T: Math.round(10 ** logT), K: Math.round(10 ** logK) });

function numbers(_, values) {
  const { T, K } = chosen(values);
  const best = bestCells(T);
  const paper = resolution(T);
  const terms = { learning: learning(T, K), rounding: rounding(T, K), bound: both(T, K) };
  return { T, K, ...terms, best, least: both(T, best), paper, played: PLAYED[T] ?? [], playedLong: PLAYED_LONG };
}

const many = (value) => value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });

/** The formula, its terms on the colours of their curves, with their values. */
function formula({ learning, rounding, bound }) {
  const term = (kind, words, value) => `<span class="klcal-force klcal-force-${kind}">${words}<b>${many(value)}</b></span>`;
  const sign = (words) => `<span class="klcal-force">${words}</span>`;
  const terms = [
    sign("PKLCal ≤"),
    term("learning", "(<i>K</i> + 1) log(1 + <i>T</i>/(<i>K</i> + 1))", learning),
    sign("+"),
    term("rounding", "<i>T</i> tan²(π/2<i>K</i>)", rounding),
    sign("="),
    term("sum", "together", bound),
  ];
  return `<div class="klcal-forces">${terms.join(" ")}</div>`;
}

/** The grid as the shadow of equal angles on a semicircle. */
function gridPicture(K) {
  const [width, height, left, right, ground] = [340, 270, 20, 320, 200];
  const x = (p) => left + (right - left) * p;
  const high = (p) => ground - (right - left) * Math.sqrt(p * (1 - p));
  const points = fullGrid(K);
  const arc = spaced(0, Math.PI, 90).map((angle) => (1 - Math.cos(angle)) / 2);
  const threads = points.map((z) => `M${x(z).toFixed(1)} ${high(z).toFixed(1)}V${ground}`).join("");
  const parts = [
    label(left, 18, "start", `${K} cells: equal angles, projected`, "title"),
    path("diagonal", arc.map((p) => [x(p), high(p)])),
    element("path", { class: "klcal-play-thread", d: threads, "stroke-opacity": Math.max(0.25, Math.min(1, 20 / K)) }),
    line("axis", left, ground, right, ground),
    label((left + right) / 2, ground + 34, "middle", "forecast", "title"),
  ];
  if (K <= 100) for (const z of points) parts.push(element("circle", { class: "klcal-play-bar", cx: x(z), cy: ground, r: 2.6 }));
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) parts.push(label(x(tick), ground + 17, "middle", String(tick)));
  return picture(width, height, `The grid with K = ${K}: ${K + 1} forecasts, which lie closer near 0 and 1.`, parts);
}

const EXPONENTS = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
const power = (n) => `10${EXPONENTS[n]}`;

const raised = (words) => `<tspan dy="-4" font-size="9">${words}</tspan><tspan dy="4">\u200b</tspan>`;

/** Axes of powers of ten; `x` and `y` are functions of logarithms, and what lies outside is cut. */
function axes({ xs: [from, to], ys: [low, high], ticks, title, xname }) {
  const [width, height, left, right, top, bottom] = [340, 270, 38, 324, 30, 222];
  const x = (v) => left + ((right - left) * (v - from)) / (to - from);
  const y = (v) => bottom - ((bottom - top) * (Math.min(Math.max(v, low), high) - low)) / (high - low);
  const parts = [label(left, 18, "start", title, "title"), label((left + right) / 2, height - 10, "middle", xname, "title")];
  for (const [at, name] of ticks) parts.push(line("grid", x(at), top, x(at), bottom), label(x(at), bottom + 17, "middle", name));
  for (let n = Math.ceil(low); n <= high; n++) parts.push(line("grid", left, y(n), right, y(n)), label(left - 5, y(n) + 4, "end", power(n)));
  const within = ([, v]) => v > low && v < high;
  const curve = (kind, points) => parts.push(path(kind, points.filter(within).map(([u, v]) => [x(u), y(v)])));
  const dot = (u, v, kind = "bar", r = 3) => within([u, v]) && parts.push(element("circle", { class: `klcal-play-${kind}`, cx: x(u), cy: y(v), r }));
  return { x, y, parts, curve, dot, top, bottom, drawn: (words) => picture(width, height, words, parts) };
}

/** Both terms and their sum over K. */
function cellsAxes({ T, K, best, least, bound, paper }) {
  const middle = Math.log10(least);
  const ticks = [3, 10, 30, 100, 300, 1000].map((k) => [Math.log10(k), String(k)]);
  const { x, y, parts, curve, dot, top, bottom, drawn } = axes({
    xs: [Math.log10(FEWEST), Math.log10(MOST)], ys: [middle - 1.35, middle + 1.5], ticks, title: `bound after ${many(T)} rounds`, xname: "cells K",
  });
  const places = spaced(Math.log10(FEWEST), Math.log10(MOST), 100);
  for (const [kind, value] of [["path-zero", learning], ["path-realised", rounding], ["bound", both]]) {
    curve(kind, places.map((v) => [v, Math.log10(value(T, 10 ** v))]));
  }
  const at = (value, name, anchor, dx, dy) => parts.push(label(x(Math.log10(value[0])) + dx, y(Math.log10(value[1])) + dy, anchor, name, "title"));
  const first = 10 ** places.find((v) => learning(T, 10 ** v) > least / 9); // where learning is close to the lower end
  at([first, learning(T, first)], "learning", "start", 12, 12);
  const last = (Math.PI / 2) * Math.sqrt(T / (least / 14)); // where rounding is close to the lower end
  at([Math.min(last, 400), rounding(T, Math.min(last, 400))], "rounding", "start", 8, 3);
  for (const [cells, error] of PLAYED[T] ?? []) dot(Math.log10(cells), Math.log10(error));
  if (PLAYED[T]) at(PLAYED[T][5], "played", "end", -6, 12);
  if (paper >= FEWEST) at([paper, least * 10 ** 1.5], `paper ${paper}`, "middle", 0, 12);
  parts.push(line("diagonal", x(Math.log10(K)), top + 16, x(Math.log10(K)), bottom));
  dot(Math.log10(best), middle, "ring", 8);
  at([best, least], `best ${best}`, "start", 4, -18);
  parts.push(grip("logK", "sum", x, Math.log10(K), y(Math.log10(bound))));
  return drawn(`Over K: learning rises, rounding falls, the sum is smallest at ${best}; chosen is ${K}.`);
}

/** The best bound over T, and the bound of this K if it is kept. */
function roundsAxes({ T, K, best, least, bound }) {
  const ticks = [2, 4, 6, 8].map((n) => [n, power(n)]);
  const { x, y, parts, curve, dot, drawn } = axes({ xs: [SHORTEST, LONGEST_GAME], ys: [1, 5], ticks, title: "bound as the game goes on", xname: "rounds T" });
  curve("tangent", spaced(SHORTEST, LONGEST_GAME, 100).map((v) => [v, Math.log10(both(10 ** v, K))]));
  curve("bound", [...BEST].map(([v, cells]) => [v, Math.log10(both(Math.round(10 ** v), cells))]));
  for (const [rounds, error] of PLAYED_LONG) dot(Math.log10(rounds), Math.log10(error));
  parts.push(label(x(7.9), y(Math.log10(both(1e8, BEST.get(8)))) + 42, "end", "played", "title"));
  parts.push(label(x(2.2), y(4.55), "start", "grey: this K kept", "title"));
  parts.push(label(x(2.2), y(4.15), "start", `best K: order T${raised("1/3")} (log T)${raised("2/3")}`, "bound-label"));
  dot(Math.log10(T), Math.log10(least), "ring", 8);
  parts.push(grip("logT", "sum", x, Math.log10(T), y(Math.log10(bound))));
  return drawn(`Over T: the bound at the best K, ${best} for ${T} rounds, and that of K = ${K} kept, which ends as a straight line.`);
}

function draw(_, values) {
  const told = numbers(_, values);
  const { T, K, best, least, paper } = told;
  const verdict = K === best ? "No other K allows less." : `The best K is ${best} and allows ${many(least)}.`;
  return {
    picture: formula(told) + gridPicture(K) + cellsAxes(told) + roundsAxes(told),
    words: `After ${many(T)} rounds with ${K} cells Theorem 2 allows ${many(told.bound)}. ${verdict} The paper’s K is ${paper}.`,
  };
}

export const FIGURE = {
  controls: [
    { range: "logT", name: "rounds T", min: SHORTEST, max: LONGEST_GAME, step: 0.05, value: 5, say: (v) => many(Math.round(10 ** v)) },
    { range: "logK", name: "cells K", min: Math.log10(FEWEST), max: 3, step: "any", value: Math.log10(21), say: (v) => String(Math.round(10 ** v)), beside },
    { button: "best", name: "best K" },
  ],
  hint: "or drag the discs",
  act: {
    best: (state, { logT }, set) => {
      set("logK", Math.log10(bestCells(Math.round(10 ** logT))));
      return state;
    },
  },
  numbers,
  draw,
};
bring("two_forces", FIGURE);
