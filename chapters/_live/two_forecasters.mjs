// The first page: the sensible forecaster and one that draws, each against the same spiteful Nature.

import { axes, buckets, discs, misses } from "../_play/drawing.mjs";
import { AlgorithmOne, Pair } from "../_play/forecasters.mjs";
import { klCalibration } from "../_play/measures.mjs";
import { label, picture } from "../_play/svg.mjs";
import { Tree } from "../_play/tree.mjs";
import { bring } from "./live.mjs";
import { newGame, round } from "./stepping.mjs";

const DAYS = 1000;
const AT_ONCE = 25; // days between two pictures while it runs: all of them in five seconds
const BINS = 40; // the sensible forecaster says many numbers; the picture collects those that are close
const PLAYERS = { "Algorithm 1": () => new AlgorithmOne(10), PAIR: () => new Pair(10), "the tree": () => new Tree() };

/** Rain whenever the announced mean is below one half. */
const spite = (mean) => (mean < 0.5 ? 1 : 0);

/** What the sensible forecaster says: the frequency so far, one rainy and one dry day counted in advance, as in Chapter 1. */
const frequency = ({ ones, days }) => (ones + 1) / (days + 2);

/** Both before the first day. */
function begin({ player }) {
  return { sensible: { ones: 0, days: 0, said: [], rain: [] }, drawn: newGame(PLAYERS[player]()), isOwn: false };
}

/** One day for both; `rain` is what Nature answers to a forecaster's mean. */
function day(state, rain) {
  const { sensible, drawn } = state;
  const [said, mean] = [frequency(sensible), drawn.player.meanForecast()];
  const falls = rain(said);
  sensible.said.push(said);
  sensible.rain.push(falls);
  sensible.days += 1;
  sensible.ones += falls;
  round(drawn, rain(mean));
  return state;
}

/** Some days of spite; asked once more when all are over, Nature begins anew. */
function nature(state, values) {
  const going = state.isOver ? begin(values) : state;
  if (going.sensible.days >= DAYS) {
    going.isOver = true;
    return null;
  }
  for (let t = 0; t < AT_ONCE && going.sensible.days < DAYS; t++) day(going, spite);
  return { ...going, isOwn: false };
}

/** A day of the reader's own; the first one begins a new game. */
const own = (outcome) => (state, values) => {
  const going = state.isOwn ? state : { ...begin(values), isOwn: true };
  return going.sensible.days < DAYS ? day(going, () => outcome) : null;
};

/** Forecasts that are close, together: mean forecast, frequency of rain, number of days. */
function collected({ said, rain }) {
  const found = new Map();
  said.forEach((p, t) => {
    const bin = Math.min(Math.floor(p * BINS), BINS - 1);
    const [sum, ones, days] = found.get(bin) ?? [0, 0, 0];
    found.set(bin, [sum + p, ones + rain[t], days + 1]);
  });
  return [...found.values()].map(([sum, ones, days]) => [sum / days, ones / days, days]);
}

/** The forecasts of both, each with its frequency of rain and its days. */
function rowsOf({ sensible, drawn }) {
  const { points, counts } = drawn.player.everything();
  return [collected(sensible), buckets(points, counts)];
}

const percent = (p) => `${Math.round(100 * p)}%`;
const inDays = (n) => (n === 1 ? "1 day" : `${n} days`);

function diagram(title, rows, days) {
  const frame = { left: 44, right: 322, top: 40, bottom: 288, foot: 300 }; // the ticks below the discs
  const { x, y, parts } = axes(frame, percent);
  parts.push(label(frame.left, frame.top - 24, "start", title, "title"), label(frame.left + 6, frame.top + 14, "start", "it rained", "title"));
  parts.push(label((frame.left + frame.right) / 2, frame.foot + 34, "middle", "it said", "title"));
  parts.push(...misses({ x, y }, rows), ...discs({ x, y }, rows, days, "realised"));
  const words = rows.map(([p, f, n]) => `${percent(p)}: ${percent(f)} on ${inDays(n)}`).join("; ");
  return picture(344, 342, `${title}. It said, it rained: ${words}.`, parts);
}

/** The error that the diagram shows, a day: days times squared distance. */
const square = (rows, days) => rows.reduce((sum, [p, f, n]) => sum + n * (f - p) ** 2, 0) / days;

/** What was said most often, and what came of it. */
function commonest(rows) {
  const [p, f, n] = rows.reduce((one, other) => (other[2] > one[2] ? other : one));
  return `${percent(p)} on ${inDays(n)}, and it rained on ${percent(f)} of them`;
}

function numbers(state) {
  const { sensible, drawn } = state;
  const [left, right] = rowsOf(state).map((rows) => square(rows, sensible.days));
  const { points, counts } = drawn.player.everything();
  const { said, rain } = sensible;
  return { said, rain, outcomes: drawn.outcomes, draws: drawn.draws, klcal: klCalibration(points, counts), left, right };
}

function draw(state, { player }) {
  const { days } = state.sensible;
  const [left, right] = rowsOf(state);
  const distances = [left, right].map((rows) => square(rows, days).toFixed(3));
  const words =
    `Day ${days}. The sensible one said ${commonest(left)}; ${player} said ${commonest(right)}. ` +
    `Squared distance from promise to truth, a day: ${distances.join(" and ")}.`;
  const title = `${player[0].toUpperCase()}${player.slice(1)}: draws its forecast`;
  return { picture: diagram("Says the frequency so far", left, days) + diagram(title, right, days), words };
}

/** All days: the state of the opened page, and of one without scripts. */
function finished(values) {
  let state = begin(values);
  while (!state.isOver) state = nature(state, values) ?? state;
  return state;
}

export const FIGURE = {
  controls: [
    { button: "zero", name: "dry", "aria-keyshortcuts": "0", "data-large": "" },
    { button: "one", name: "rain", "aria-keyshortcuts": "1", "data-large": "" },
    { run: "nature", name: "Spiteful Nature plays" },
    { choose: "player", name: "the one that draws", options: Object.keys(PLAYERS), "data-restart": "" },
  ],
  begin: finished,
  act: { nature, zero: own(0), one: own(1) },
  numbers,
  draw,
};
bring("two_forecasters", FIGURE);

/** Play when it is seen, and again when the reader takes another forecaster; inside the figure keys 0 and 1 are Nature. */
function playByItself(root) {
  const runner = root.querySelector("[data-run]");
  const watcher = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watcher.disconnect();
    runner.click();
  }, { threshold: 0.3 });
  watcher.observe(root);
  root.addEventListener("input", () => runner.textContent === "Pause" || runner.click());
  root.addEventListener("keydown", ({ key, target }) => {
    if (target.tagName !== "SELECT") root.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`)?.click();
  });
}
if (typeof document !== "undefined") document.querySelectorAll('[data-live="two_forecasters"]').forEach(playByItself);
