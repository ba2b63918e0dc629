// Algorithm 1 round by round: each learner is rounded to two neighbours, which is a chain; its stationary distribution is
// the next mixture.

import { cellsPicture, mixtureInWords } from "../_play/drawing.mjs";
import { AlgorithmOne } from "../_play/forecasters.mjs";
import { element, label, line, picture } from "../_play/svg.mjs";
import { bring, firstValues } from "./live.mjs";
import { BIT_BUTTONS, BY_HAND, answered, lastRound, newGame } from "./stepping.mjs";

const begin = ({ K }) => newGame(new AlgorithmOne(K));

function numbers({ player, outcomes, draws }) {
  const matrix = player.points.map((_, i) => player.points.map((_, j) => player.transition(i, j)));
  return { outcomes, draws, leanings: [...player.leanings], matrix, ...player.mixture };
}

/** Learners above, grid points below, and a line for each probability of the rounding. */
function chainPicture(player) {
  const [left, right, top, middle, bottom] = [24, 316, 44, 190, 268];
  const x = (p) => left + (right - left) * p;
  const { points, leanings, mixture: { members, shares } } = player;
  const parts = [label(left - 10, 18, "start", "point, and where its learner leans", "title")];
  points.forEach((z, i) => {
    const within = members.includes(i);
    points.forEach((to, j) => {
      const share = player.transition(i, j);
      const ends = { x1: x(z), y1: top, x2: x(to), y2: middle };
      if (share > 0) parts.push(element("line", { class: `klcal-play-${within ? "move" : "move-idle"}`, ...ends, "stroke-width": 0.8 + 4 * share }));
    });
    parts.push(line("reach", x(z), top - 9, x(leanings[i]), top - 9));
    parts.push(element("circle", { class: "klcal-play-mean", cx: x(leanings[i]), cy: top - 9, r: 2.5 }));
    parts.push(element("circle", { class: within ? "klcal-play-bar" : "klcal-play-idle", cx: x(z), cy: top, r: 5 }));
    parts.push(element("circle", { class: within ? "klcal-play-bar" : "klcal-play-idle", cx: x(z), cy: middle, r: 5 }));
  });
  members.forEach((i, s) => {
    parts.push(element("rect", { class: "klcal-play-bar", x: x(points[i]) - 4, y: bottom - 55 * shares[s], width: 8, height: 55 * shares[s] }));
  });
  parts.push(label(left - 10, middle + 20, "start", "next mixture", "title"), line("axis", left, bottom, right, bottom));
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) parts.push(label(x(tick), bottom + 15, "middle", String(tick)));
  return picture(340, bottom + 24, `The chain of Algorithm 1 on ${points.length} points; its closed class has ${members.length}.`, parts);
}

function draw(state) {
  const { player } = state;
  const { members } = player.mixture;
  const found = `The chain ends up in ${members.length === 1 ? "one point" : `${members.length} points`}; its stationary distribution is the next mixture: `;
  return { picture: chainPicture(player) + cellsPicture(player, "Algorithm 1"), words: `${lastRound(state)}${found}${mixtureInWords(player)}.` };
}

function still() {
  let state = begin(firstValues(FIGURE));
  for (let t = 0; t < 40; t++) state = answered(state, "border");
  return draw(state).picture;
}

export const FIGURE = {
  controls: [
    ...BIT_BUTTONS,
    { run: "border", name: "Let Nature play" },
    { range: "K", name: "grid size K", min: 2, max: 10, step: 1, value: 5, "data-restart": "" },
    { button: "again", name: "Start again" },
  ],
  begin,
  act: { ...BY_HAND, border: (state) => answered(state, "border"), again: (_, values) => begin(values) },
  numbers,
  draw,
  still,
};
bring("chain", FIGURE);
