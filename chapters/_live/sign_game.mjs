// The sign game: Nature points at a fresh cell, the forecaster writes a sign, and signs on the wrong side are erased.
// The rules are those of chapter 11; the players here try everything.

import { element, label, picture } from "../_play/svg.mjs";
import { bring } from "./live.mjs";

const count = (cells, sign) => cells.split(sign).length - 1;
const signsOn = (cells) => count(cells, "+") + count(cells, "-");
const freshOn = (cells) => [...cells].flatMap((cell, i) => (cell === "." ? [i] : []));

/** The board after an answer: every minus to the left of the cell and every plus to its right is erased. */
export function pointed(cells, cell, sign) {
  return cells.slice(0, cell).replaceAll("-", "x") + sign + cells.slice(cell + 1).replaceAll("+", "x");
}

/** The board read from the right, which exchanges the signs. */
const mirrored = (cells) => [...cells].reverse().map((cell) => ({ "+": "-", "-": "+" })[cell] ?? cell).join("");

const known = new Map();

/** Whether Nature can get k signs, by backward induction; used cells do not matter, and a board is as good as its mirror. */
export function canForce(cells, k) {
  const [one, other] = [cells.replaceAll("x", ""), mirrored(cells.replaceAll("x", ""))];
  const kept = one < other ? one : other;
  const [signs, fresh] = [signsOn(kept), freshOn(kept)];
  if (signs >= k || signs + fresh.length < k) return signs >= k;
  const key = `${kept} ${k}`;
  if (!known.has(key)) {
    known.set(key, fresh.some((cell) => ["+", "-"].every((sign) => canForce(pointed(kept, cell, sign), k))));
  }
  return known.get(key);
}

/** The lowest cell from which Nature still gets k signs, null if there is none or if it has them. */
export function bestCell(cells, k) {
  if (signsOn(cells) >= k) return null;
  return freshOn(cells).find((cell) => ["+", "-"].every((sign) => canForce(pointed(cells, cell, sign), k))) ?? null;
}

/** The sign after which Nature gets fewer signs, minus if it makes no difference. */
export function bestAnswer(cells, cell) {
  const [minus, plus] = ["-", "+"].map((sign) => gain(pointed(cells, cell, sign)));
  return plus < minus ? "+" : "-";
}

/** The number of signs that Nature gets from a board if both play best. */
export function gain(cells) {
  let k = signsOn(cells);
  while (canForce(cells, k + 1)) k++;
  return k;
}

const NAMES = { ".": "fresh", "+": "plus", "-": "minus", x: "erased" };
const SIZES = { "6 cells, 3 signs": [6, 3], "10 cells, 4 signs": [10, 4], "15 cells, 5 signs": [15, 5] };
const begin = ({ size }) => ({ cells: ".".repeat(SIZES[size][0]), turns: [] });

function turn(state, cell, sign) {
  const cells = pointed(state.cells, cell, sign);
  return { cells, turns: [...state.turns, [cell, sign, cells]] };
}

function answer(state, { size }, sign) {
  const cell = bestCell(state.cells, SIZES[size][1]);
  return cell === null ? null : turn(state, cell, sign);
}

/** The reader points; the forecaster answers as well as possible. Only a fresh cell can be pointed at. */
function point(state, { cell }) {
  const at = cell - 1;
  if (state.cells[at] !== ".") return { ...state, refused: `Cell ${cell} is not a fresh one. ` };
  return turn(state, at, bestAnswer(state.cells, at));
}

function numbers({ cells, turns }, { size }) {
  return { cells, turns, signs: signsOn(cells), next: bestCell(cells, SIZES[size][1]), gain: gain(cells) };
}

function draw(state, values) {
  const { cells, turns, signs, next, gain: most } = numbers(state, values);
  const [left, wide] = [14, Math.min(36, 312 / cells.length)];
  const parts = [label(left, 18, "start", "cells, each usable once", "title")];
  [...cells].forEach((cell, i) => {
    const kind = i === next ? "cell-next" : cell === "." ? "cell-active" : "cell-full";
    const press = cell === "." ? { "data-press": "point", "data-set": "cell", "data-to": String(i + 1) } : {};
    parts.push(element("rect", { class: `klcal-play-${kind}`, x: left + wide * i + 1, y: 34, width: wide - 2, height: 36, ...press }));
    parts.push(label(left + wide * (i + 0.5), 84, "middle", String(i + 1)));
    if (cell === "+" || cell === "-") parts.push(label(left + wide * (i + 0.5), 59, "middle", cell === "+" ? "+" : "−", "sign"));
  });
  const past = turns.length ? `Cell ${turns.at(-1)[0] + 1} got ${turns.at(-1)[1] === "+" ? "+" : "−"}. ` : "";
  const goal = SIZES[values.size][1];
  const coming =
    next !== null
      ? `Nature points at cell ${next + 1}. What do you write?`
      : signs >= goal
        ? `Nature has its ${goal} signs and stops.`
        : `From here Nature gets ${most} signs at most.`;
  const words = `Sign game on ${cells.length} cells, from left to right: ${[...cells].map((cell) => NAMES[cell]).join(", ")}.`;
  return { picture: picture(340, 96, words, parts), words: `${state.refused ?? past}Signs on the board: ${signs}. ${coming}` };
}

export const FIGURE = {
  controls: [
    { choose: "size", name: "board", options: Object.keys(SIZES), "data-restart": "" },
    { button: "plus", name: "+", "aria-label": "As the forecaster, write plus" },
    { button: "minus", name: "−", "aria-label": "As the forecaster, write minus" },
    { range: "cell", name: "or, as Nature, cell", min: 1, max: 15, step: 1, value: 3 },
    { button: "point", name: "Point" },
    { button: "again", name: "Start again" },
  ],
  hint: "or press a fresh cell on the board",
  begin,
  act: {
    plus: (state, values) => answer(state, values, "+"),
    minus: (state, values) => answer(state, values, "-"),
    point,
    again: (_, values) => begin(values),
  },
  numbers,
  draw,
};
bring("sign_game", FIGURE);
