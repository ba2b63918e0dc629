// The first page: you, or an adversary, against the tree.

import { cellsPicture, mixtureInWords, stripPicture } from "../_play/drawing.mjs";
import { klCalibration } from "../_play/measures.mjs";
import { frame, path, picture, roundedUp, spaced } from "../_play/svg.mjs";
import { Tree } from "../_play/tree.mjs";
import { treePicture } from "../_play/tree_drawing.mjs";
import { bring, firstValues } from "./live.mjs";
import { BIT_BUTTONS, BY_HAND, answered, newGame } from "./stepping.mjs";

const begin = () => ({ ...newGame(new Tree()), errors: [] });

/** Note the error after a round. */
function noted(state) {
  state?.errors.push(numbers(state).klcal / state.outcomes.length);
  return state;
}

const adversary = (state, { nature }) => noted(answered(state, nature));

function numbers({ player, outcomes, draws }) {
  const { points, counts } = player.everything();
  return { outcomes, draws, klcal: klCalibration(points, counts) };
}

/** The error a round, over the rounds. */
function errorPicture(errors) {
  const last = roundedUp(Math.max(errors.length, 20));
  const axes = frame({ height: 190, xs: spaced(0, last, 2), ys: spaced(0, roundedUp(Math.max(0.5, ...errors)), 2), xname: "round", yname: "calibration error a round" });
  const stride = Math.ceil(errors.length / 300);
  const kept = errors.map((error, t) => [axes.x(t + 1), axes.y(error)]);
  const words = `Calibration error a round, after ${errors.length} rounds: ${(errors.at(-1) ?? 0).toFixed(4)}.`;
  const curve = path("path-realised", kept.filter((_, t) => t % stride === 0 || t === errors.length - 1));
  return picture(axes.width, axes.height, words, [...axes.parts, errors.length ? curve : ""]);
}

function draw(state) {
  const { player: tree, outcomes, draws } = state;
  const rounds = outcomes.length;
  const { klcal } = numbers(state);
  const past = rounds
    ? `Round ${rounds}: it drew ${draws.at(-1).toFixed(3)}, and ${outcomes.at(-1)} happened. ` +
      `Calibration error so far: ${klcal.toFixed(2)}, or ${(klcal / rounds).toFixed(4)} a round. `
    : "";
  return {
    picture: cellsPicture(tree, "the tree") + `<div>${treePicture(tree)}${errorPicture(state.errors)}</div>` + stripPicture(outcomes),
    words: `${past}Next it says ${mixtureInWords(tree)}. What happens?`,
  };
}

/** Some rounds against an adversary: what a page shows at first, with scripts or without. */
function begun() {
  let state = begin();
  for (let t = 0; t < 150; t++) state = adversary(state, firstValues(FIGURE));
  return state;
}

export const FIGURE = {
  controls: [
    ...BIT_BUTTONS,
    { run: "adversary", name: "Let an adversary play" },
    { choose: "nature", name: "adversary", options: ["greedy realised", "oppose", "threshold 0.05", "coin 0.3"] },
    { button: "again", name: "Start again" },
  ],
  begin,
  act: {
    zero: (state) => noted(BY_HAND.zero(state)),
    one: (state) => noted(BY_HAND.one(state)),
    adversary,
    again: begin,
  },
  numbers,
  draw,
  still: () => draw(begun()).picture,
};
bring("first_game", { ...FIGURE, begin: begun });
