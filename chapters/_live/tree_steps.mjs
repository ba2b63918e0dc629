// The tree round by round: cells that fill and split, wealths, and the coin that they weigh.

import { element, frame, label, line, picture, roundedUp } from "../_play/svg.mjs";
import { Tree } from "../_play/tree.mjs";
import { treePicture } from "../_play/tree_drawing.mjs";
import { bring, firstValues } from "./live.mjs";
import { BIT_BUTTONS, BY_HAND, answered, lastRound, newGame } from "./stepping.mjs";

const begin = () => newGame(new Tree());

function numbers({ player, outcomes, draws }) {
  const { members, shares } = player.mixture;
  const logWealths = player.active.map(({ logWealth }) => logWealth);
  return { outcomes, draws, points: player.points, means: player.leanings, members, shares, logWealths, logTotal: player.logTotal };
}

/** The logarithm of the wealth of every active cell, as a bar over its place. */
function wealthPicture({ active, logTotal }) {
  const end = roundedUp(Math.max(1, Math.abs(logTotal), ...active.map(({ logWealth }) => Math.abs(logWealth))));
  const scale = (p) => Math.asin(Math.sqrt(p));
  const axes = frame({ height: 230, xs: [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1], ys: [-end, 0, end], xname: "forecast", yname: "log wealth of the active cells", scale });
  const { x, y, parts, left, right } = axes;
  for (const { point, logWealth } of active) {
    const [from, to] = [Math.min(y(0), y(logWealth)), Math.max(y(0), y(logWealth))];
    parts.push(element("rect", { class: "klcal-play-bar", x: x(point) - 3, y: from, width: 6, height: to - from }));
  }
  parts.push(line("axis", left, y(0), right, y(0)), line("bound", left, y(logTotal), right, y(logTotal)));
  parts.push(label(right, y(logTotal) - 5, "end", "all together", "bound-label"));
  return picture(axes.width, axes.height, `Logarithms of wealths; of their product ${logTotal.toFixed(3)}.`, parts);
}

function reason(tree) {
  const { members: [i, j], shares } = tree.mixture;
  const [here, mean] = [tree.active[i], tree.leanings[i].toFixed(3)];
  if (j === undefined) return `The mean ${mean} of the cell from ${here.lower.toFixed(3)} to ${here.upper.toFixed(3)} lies in it: the tree forecasts ${here.point.toFixed(3)}.`;
  const [stake, other] = tree.stakes(i);
  return (
    `No mean lies in its cell. The neighbours ${here.point.toFixed(3)} and ${tree.active[j].point.toFixed(3)} have means ${mean} ` +
    `and ${tree.leanings[j].toFixed(3)} beyond their boundary ${here.upper.toFixed(3)}, and stakes in the ratio ${(stake / other).toFixed(2)} to 1: ` +
    `probabilities ${shares[0].toFixed(3)} and ${shares[1].toFixed(3)}.`
  );
}

function draw(state) {
  return { picture: treePicture(state.player) + wealthPicture(state.player), words: lastRound(state) + reason(state.player) };
}

function still() {
  let state = begin();
  for (let t = 0; t < 200; t++) state = answered(state, firstValues(FIGURE).nature);
  return draw(state).picture;
}

export const FIGURE = {
  controls: [
    ...BIT_BUTTONS,
    { run: "nature", name: "Let Nature play" },
    { choose: "nature", name: "Nature", options: ["feed the richer", "threshold 0.05", "coin 0.3", "rare events"] },
    { button: "again", name: "Start again" },
  ],
  begin,
  act: { ...BY_HAND, nature: (state, { nature }) => answered(state, nature), again: begin },
  numbers,
  draw,
  still,
};
bring("tree_steps", FIGURE);
