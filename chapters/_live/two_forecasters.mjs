// The first page: the sensible forecaster and one that draws, each against the same spiteful Nature.

import { AlgorithmOne, Pair } from "../_play/forecasters.mjs";
import { klCalibration } from "../_play/measures.mjs";
import { element, label, line, picture } from "../_play/svg.mjs";
import { Tree } from "../_play/tree.mjs";
import { bring } from "./live.mjs";
import { newGame, round } from "./stepping.mjs";

const DAYS = 1000;
const AT_ONCE = 10; // days between two pictures while it runs
const BINS = 40; // the sensible forecaster says many numbers; the picture collects those that are close
const PLAYERS = { "Algorithm 1": () => new AlgorithmOne(10), PAIR: () => new Pair(10), "the tree": () => new Tree() };

/** Rain whenever the announced mean is below one half. */
const spite = (mean) => (mean < 0.5 ? 1 : 0);

/** What the sensible forecaster says: the frequency so far. */
const frequency = ({ ones, days }) => (days ? ones / days : 0.5);

function begin({ player }) {
  return { sensible: { ones: 0, days: 0, said: [], rain: [] }, drawn: newGame(PLAYERS[player]()) };
}

/** One day for both; `rain` is the outcome, or what Nature answers to a forecaster's mean. */
function day(state, rain) {
  const { sensible, drawn } = state;
  if (sensible.days >= DAYS) return null;
  const [said, mean] = [frequency(sensible), drawn.player.meanForecast()];
  const falls = rain(said);
  sensible.said.push(said);
  sensible.rain.push(falls);
  sensible.days += 1;
  sensible.ones += falls;
  round(drawn, rain(mean));
  return state;
}

function nature(state, values) {
  if (state.sensible.days >= DAYS) {
    if (state.isOver) return begin(values); // asked once more, it plays again
    state.isOver = true;
    return null;
  }
  for (let t = 0; t < AT_ONCE; t++) day(state, spite);
  return state;
}

/** Forecasts that are close, together: mean forecast, frequency of rain, number of days. */
function collected(said, rain) {
  const found = new Map();
  said.forEach((p, t) => {
    const bin = Math.min(Math.floor(p * BINS), BINS - 1);
    const [sum, ones, days] = found.get(bin) ?? [0, 0, 0];
    found.set(bin, [sum + p, ones + rain[t], days + 1]);
  });
  return [...found.values()].map(([sum, ones, days]) => [sum / days, ones / days, days]);
}

function buckets({ player }) {
  const { points, counts: [zeros, ones] } = player.everything();
  const found = [...points].map((z, i) => [z, ones[i] / (ones[i] + zeros[i]), ones[i] + zeros[i]]);
  return found.filter(([, , days]) => days > 0);
}

/** A reliability diagram; a line leads from each promise to the truth. */
function diagram(title, rows, days) {
  const [width, height, left, right, top, bottom] = [340, 330, 44, 328, 34, 288];
  const x = (p) => left + (right - left) * p;
  const y = (q) => bottom - (bottom - top) * q;
  const parts = [label(left, top - 14, "start", title, "title")];
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(line("grid", left, y(tick), right, y(tick)), line("grid", x(tick), top, x(tick), bottom));
    parts.push(label(left - 6, y(tick) + 4, "end", `${100 * tick}%`), label(x(tick), bottom + 16, "middle", `${100 * tick}%`));
  }
  parts.push(line("diagonal", x(0), y(0), x(1), y(1)), label((left + right) / 2, bottom + 34, "middle", "it said", "title"));
  parts.push(label(left + 6, top + 14, "start", "it rained", "title"));
  for (const [p, f, n] of rows) {
    const r = Math.sqrt(8 + 420 * (n / days));
    parts.push(line("miss", x(p), y(p), x(p), y(f)), element("circle", { class: "klcal-play-realised", cx: x(p), cy: y(f), r }));
  }
  const words = rows.map(([p, f, n]) => `${Math.round(100 * p)}%: ${Math.round(100 * f)}% on ${n} days`).join("; ");
  return picture(width, height, `${title}. It said, it rained: ${words || "nothing yet"}.`, parts);
}

/** The error that the diagram shows, a day: days times squared distance. */
const square = (rows, days) => rows.reduce((sum, [p, f, n]) => sum + n * (f - p) ** 2, 0) / Math.max(days, 1);

function numbers({ sensible, drawn }) {
  const { points, counts } = drawn.player.everything();
  const left = collected(sensible.said, sensible.rain);
  return {
    said: sensible.said,
    rain: sensible.rain,
    outcomes: drawn.outcomes,
    draws: drawn.draws,
    klcal: klCalibration(points, counts),
    left: square(left, sensible.days),
    right: square(buckets(drawn), drawn.outcomes.length),
  };
}

function draw(state, { player }) {
  const { sensible, drawn } = state;
  const days = sensible.days;
  const left = collected(sensible.said, sensible.rain);
  const told = numbers(state);
  const under = left.filter(([p, , n]) => p < 0.5 && n > days / 10)[0];
  const words = days
    ? `Day ${days}. ` +
      (under ? `When the sensible forecaster said just under 50%, it rained on ${Math.round(100 * under[1])}% of the days. ` : "") +
      `Squared distance from promise to truth, a day: ${told.left.toFixed(3)} on the left, ${told.right.toFixed(3)} on the right.`
    : "Day 0. Let Nature play, or be Nature yourself.";
  return {
    picture:
      diagram("Says the frequency so far", left, days) + diagram(`${player[0].toUpperCase()}${player.slice(1)}: draws its forecast`, buckets(drawn), days),
    words,
  };
}

/** All days, as a page without scripts shows them. */
function begun(values = { player: "Algorithm 1" }) {
  const state = begin(values);
  while (day(state, spite));
  return { ...state, isOver: true };
}

export const FIGURE = {
  controls: [
    { run: "nature", name: "Spiteful Nature plays" },
    { button: "zero", name: "dry", "aria-label": "it stays dry" },
    { button: "one", name: "rain", "aria-label": "it rains" },
    { choose: "player", name: "on the right", options: Object.keys(PLAYERS), "data-restart": "" },
    { button: "again", name: "Start again" },
  ],
  begin,
  act: { nature, zero: (state) => day(state, () => 0), one: (state) => day(state, () => 1), again: (_, values) => begin(values) },
  numbers,
  draw,
  still: () => draw(begun(), { player: "Algorithm 1" }).picture,
};
bring("two_forecasters", { ...FIGURE, begin: begun });
