// PAIR round by round: means, cells, the two neighbours that balance, and what their books win.

import { cellsPicture } from "../_play/drawing.mjs";
import { Pair } from "../_play/forecasters.mjs";
import { element, label, line, picture } from "../_play/svg.mjs";
import { bring, firstValues } from "./live.mjs";
import { BIT_BUTTONS, BY_HAND, answered, lastRound, newGame } from "./stepping.mjs";

function begin({ K }) {
  const player = new Pair(K);
  return { ...newGame(player), wealths: player.points.map(() => 1) };
}

/** A step after which the book that was drawn has bet its mean against the point of its cell nearest to it. */
const betting = (step) => (state) => {
  const { points, leanings, boundaries } = state.player;
  const means = [...leanings];
  if (!step(state)) return null;
  const i = points.indexOf(state.draws.at(-1));
  const clipped = Math.min(Math.max(means[i], boundaries[i]), boundaries[i + 1]);
  state.wealths[i] *= state.outcomes.at(-1) ? means[i] / clipped : (1 - means[i]) / (1 - clipped);
  return state;
};

function numbers({ player, outcomes, draws, wealths }) {
  const { members, shares } = player.mixture;
  return { outcomes, draws, means: [...player.leanings], boundaries: player.boundaries, members, shares, wealths: [...wealths] };
}

/** A row per point: its cell, its forecast as a tick, its mean as a disc that may lie outside, its wealth. */
function rowsPicture({ leanings, boundaries, points, counts: [zeros, ones], mixture: { members } }, wealths) {
  const [left, right, column, top, row] = [14, 276, 330, 28, 30];
  const x = (p) => left + (right - left) * p;
  const bottom = top + row * points.length;
  const parts = [label(left, top - 10, "start", "cells, and the mean of each book", "title"), label(column, top - 10, "end", "wealth", "title")];
  points.forEach((z, i) => {
    const [y, width] = [top + row * i, x(boundaries[i + 1]) - x(boundaries[i])];
    const kind = members.includes(i) ? "cell-next" : "cell-active";
    parts.push(element("rect", { class: `klcal-play-${kind}`, x: x(boundaries[i]), y: y + 3, width, height: row - 8 }));
    parts.push(line("point", x(z), y + 3, x(z), y + row - 5));
    const [at, end] = [leanings[i], Math.min(Math.max(leanings[i], boundaries[i]), boundaries[i + 1])];
    parts.push(line("reach", x(end), y + row / 2 - 1, x(at), y + row / 2 - 1));
    parts.push(label(column, y + row / 2 + 3, "end", money(wealths[i])));
    const seen = ones[i] + zeros[i] > 0;
    parts.push(element("circle", { class: seen ? "klcal-play-mean" : "klcal-play-untouched", cx: x(at), cy: y + row / 2 - 1, r: 4 }));
  });
  parts.push(line("axis", left, bottom, right, bottom));
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) parts.push(label(x(tick), bottom + 15, "middle", String(tick)));
  return picture(340, bottom + 24, `Cells and means of the ${points.length} points of PAIR.`, parts);
}

/** A wealth, and that of all books together. */
const money = (wealth) => (wealth < 1e4 && wealth >= 0.01 ? wealth.toFixed(2) : wealth.toExponential(0));
const together = (wealths) => ` The product of all wealths is ${money(wealths.reduce((product, wealth) => product * wealth, 1))}.`;

/** The rule at work, in words. */
function reason({ points, leanings, boundaries, mixture: { members, shares } }) {
  const [i, j] = members;
  const [z, mean] = [points[i].toFixed(3), leanings[i].toFixed(3)];
  if (j === undefined) return `The mean ${mean} of the point ${z} lies in its own cell, so PAIR forecasts ${z}.`;
  const c = boundaries[j];
  return (
    `No mean lies in its cell. That of ${z} is above the boundary ${c.toFixed(3)} by ${(leanings[i] - c).toFixed(3)}, ` +
    `that of ${points[j].toFixed(3)} below it by ${(c - leanings[j]).toFixed(3)}: PAIR draws them with probabilities ` +
    `${shares[0].toFixed(3)} and ${shares[1].toFixed(3)}, so that both excesses balance.`
  );
}

function draw(state) {
  return {
    picture: rowsPicture(state.player, state.wealths) + cellsPicture(state.player, "PAIR"),
    words: lastRound(state) + reason(state.player) + together(state.wealths),
  };
}

const oppose = betting((state) => answered(state, "oppose"));

function still() {
  let state = begin(firstValues(FIGURE));
  for (let t = 0; t < 60; t++) state = oppose(state);
  return draw(state);
}

export const FIGURE = {
  controls: [
    ...BIT_BUTTONS,
    { run: "oppose", name: "Let Nature oppose" },
    { range: "K", name: "grid size K", min: 3, max: 9, step: 1, value: 5, "data-restart": "" },
    { button: "again", name: "Start again" },
  ],
  begin,
  act: { zero: betting(BY_HAND.zero), one: betting(BY_HAND.one), oppose, again: (_, values) => begin(values) },
  numbers,
  draw,
  still,
};
bring("pair_rule", FIGURE);
