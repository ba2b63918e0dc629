// Games of the tree, and of a fixed grid, that can be looked at in every round: all forecasts and outcomes are kept.

import { Pair } from "../_play/forecasters.mjs";
import { klCalibration } from "../_play/measures.mjs";
import { NATURES } from "../_play/nature.mjs";
import { CHILD, DRAWS, uniformNumbers } from "../_play/numbers.mjs";
import { Tree } from "../_play/tree.mjs";

export const LAST_ROUND = 100000;
export const DELTA_SAND = 0.01; // the probability with which a bound may fail
const SEED_SAND = 0;

/** A coin whose bias walks, reflected at 0 and 1; twin of `klcal.adversaries.random_walk`. */
function drifting() {
  const next = uniformNumbers(SEED_SAND, CHILD);
  let walked = 0;
  return () => {
    walked += 0.01 * (2 * next() - 1);
    const place = (0.5 + walked + 1) % 2;
    const bias = Math.abs((place < 0 ? place + 2 : place) - 1);
    return next() < bias ? 1 : 0;
  };
}

/** name of a tab -> outcomes in answer to a forecaster; your own tab has none. */
const SENDERS = {
  "coin 0.3": () => NATURES["coin 0.3"](SEED_SAND),
  constant: () => NATURES.zeros(SEED_SAND),
  drift: drifting,
  spite: () => NATURES.oppose(SEED_SAND),
};
export const TABS = [...Object.keys(SENDERS), "you"];

const uniforms = [];
const nextUniform = uniformNumbers(SEED_SAND, DRAWS);

/** A forecaster, who sends it outcomes, and for every round the number of the forecast and the outcome. */
class Recording {
  constructor(player, sender) {
    Object.assign(this, { player, sender, length: 0 });
    this.drawn = new Int32Array(LAST_ROUND);
    this.outcomes = new Uint8Array(LAST_ROUND);
  }

  round(outcome) {
    const { player, length } = this;
    if (length === uniforms.length) uniforms.push(nextUniform());
    const index = player.draw(uniforms[length]);
    this.drawn[length] = player.active ? player.active[index].number : index;
    this.outcomes[length] = outcome;
    player.update(index, outcome);
    this.length += 1;
  }

  /** The recording with at least t rounds, if somebody sends them. */
  until(t) {
    while (this.sender && this.length < t) this.round(this.sender(this.player));
    return this;
  }

  /** For every forecast its outcomes in the first t rounds, in order. */
  heaps(t, count) {
    const heaps = Array.from({ length: count }, () => []);
    for (let s = 0; s < t; s++) heaps[this.drawn[s]].push(this.outcomes[s]);
    return heaps;
  }
}

/** All recordings, made when they are asked for. */
export class Shelf {
  constructor() {
    this.kept = new Map();
  }

  recording(tab, key, player) {
    const name = `${tab}, ${key}`;
    if (!this.kept.has(name)) this.kept.set(name, new Recording(player(), SENDERS[tab]?.()));
    return this.kept.get(name);
  }

  tree(tab) {
    return this.recording(tab, "tree", () => new Tree());
  }

  forget(tab) {
    for (const name of [...this.kept.keys()]) if (name.startsWith(tab)) this.kept.delete(name);
  }
}

const ones = (heap) => heap.reduce((sum, outcome) => sum + outcome, 0);
const log4 = (heaps) => heaps.reduce((sum, { length }) => sum + (length ? Math.log(4 * length) : 0), 0);

/** What was paid for forecasts with these outcomes. */
function paid(points, heaps) {
  const found = heaps.map(ones);
  return klCalibration(points, [heaps.map(({ length }, i) => length - found[i]), found]);
}

/** The nodes that the tree had after t rounds with their outcomes, and the terms of the first bound of Theorem E. */
export function treeAt(shelf, tab, t) {
  const game = shelf.tree(tab).until(t);
  const every = [...game.player.active, ...game.player.full].sort((one, other) => one.number - other.number);
  const heaps = game.heaps(t, every.length);
  const isFull = (i) => heaps[i].length >= every[i].capacity;
  const parent = ({ level, position }) => every.findIndex((node) => node.level === level - 1 && node.position === position >> 1);
  const there = every.map((node, i) => ({ ...node, heap: heaps[i], isFull: isFull(i) })).filter((node) => node.level === 0 || isFull(parent(node)));
  const width = ({ level, heap }) => heap.length * Math.log1p(Math.sin(Math.PI / 2 ** (level + 1)) ** 2);
  return {
    nodes: there,
    cells: there.filter(({ isFull }) => !isFull).length,
    klcal: paid(every.map(({ point }) => point), heaps),
    learning: log4(heaps),
    width: there.reduce((sum, node) => sum + width(node), 0),
    chance: 2 * Math.log(2 / DELTA_SAND),
  };
}

/** The second bound of Theorem E: no game of t rounds allows more. */
export const worstGame = (t) => 11 * Math.cbrt(t * Math.log(t) ** 2) + 2 * Math.log(2 / DELTA_SAND);

/** PAIR with this many forecasts, met by the same Nature, and the terms of the first bound of Theorem A. */
export function fixedAt(shelf, tab, t, cells) {
  const game = shelf.recording(tab, cells, () => new Pair(cells + 1));
  if (tab === "you") for (const outcome of shelf.tree(tab).outcomes.subarray(game.length, t)) game.round(outcome);
  const heaps = game.until(t).heaps(t, cells);
  return {
    cells,
    klcal: paid(game.player.points, heaps),
    learning: log4(heaps),
    width: -2 * t * Math.log(Math.cos(Math.PI / (2 * (cells + 1)))),
    chance: -2 * Math.log(DELTA_SAND),
  };
}
