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

/** A row for each learner: its point, where it leans, and the two neighbours to which this is rounded. */
function learnersPicture(player) {
  const [left, right, top, bottom] = [16, 326, 34, 350];
  const x = (p) => left + (right - left) * p;
  const { points, leanings, mixture: { members } } = player;
  const height = (bottom - top) / points.length;
  const parts = [label(left, 18, "start", "each learner: forecast (tick), answer (red)", "title")];
  points.forEach((z, i) => {
    const y = bottom - height * (i + 0.5);
    parts.push(line("grid", left, y, right, y), line("reach", x(z), y, x(leanings[i]), y), line("point", x(z), y - 7, x(z), y + 7));
    points.forEach((to, j) => {
      const share = player.transition(i, j);
      const kind = members.includes(i) ? "bar" : "idle";
      if (share > 0) parts.push(element("circle", { class: `klcal-play-${kind}`, cx: x(to), cy: y, r: Math.min(9, height / 2) * Math.sqrt(share) }));
    });
    parts.push(element("circle", { class: "klcal-play-mean", cx: x(leanings[i]), cy: y, r: 2.6 }));
  });
  parts.push(line("axis", left, bottom, right, bottom), label((left + right) / 2, bottom + 33, "middle", "forecast", "title"));
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) parts.push(label(x(tick), bottom + 15, "middle", String(tick)));
  return picture(340, 388, `The learners of Algorithm 1 on ${points.length} points; ${members.length} of them are in the next mixture.`, parts);
}

function draw(state) {
  const { player } = state;
  const { members } = player.mixture;
  const found = `The chain ends up in ${members.length === 1 ? "one point" : `${members.length} points`}; its stationary distribution is the next mixture: `;
  return { picture: learnersPicture(player) + cellsPicture(player, "Algorithm 1"), words: `${lastRound(state)}${found}${mixtureInWords(player)}.` };
}

function still() {
  let state = begin(firstValues(FIGURE));
  for (let t = 0; t < 40; t++) state = answered(state, "border");
  return draw(state);
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
