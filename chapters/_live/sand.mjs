// The tree as sand: every round drops a grain into the cell that was drawn, and a full cell is cut in two.

import { element, label, line, picture, place, roundedUp } from "../_play/svg.mjs";
import { bring } from "./live.mjs";
import { LAST_ROUND, Shelf, TABS, fixedAt, treeAt, worstGame } from "./sand_play.mjs";

const TIMES = [...new Set(Array.from({ length: 101 }, (_, i) => Math.round(10 ** (i / 20))))];
const LEVELS = 9; // a cell of the last one holds more than all rounds
const [HEAD, LAYER] = [28, 30];
const ROWS = 10; // of a cell that is filled with dust

/** Two sizes of the stage: for a page, and for a phone. */
const SIZES = { wide: { width: 1070, left: 16, right: 1054 }, narrow: { width: 400, left: 12, right: 388 } };

/** The round that is shown: your own game may be shorter than the scrubber says. */
function shownRound(shelf, { tab, time }) {
  return tab === "you" ? Math.min(TIMES[time], shelf.tree(tab).length) : TIMES[time];
}

function measuredAt(shelf, values) {
  const t = shownRound(shelf, values);
  const tree = treeAt(shelf, values.tab, t);
  return { t, tree, fixed: values.fixed ? fixedAt(shelf, values.tab, t, tree.cells) : null };
}

function numbers(shelf, values) {
  const { t, tree, fixed } = measuredAt(shelf, values);
  const count = ({ level, position, heap }) => [level, position, heap.length, heap.reduce((sum, y) => sum + y, 0)];
  return { t, ...tree, nodes: tree.nodes.map(count), worst: worstGame(t), fixed };
}

const disc = (x, y, r) => `M${place(x - r)} ${place(y)}a${place(r)} ${place(r)} 0 1 0 ${place(2 * r)} 0a${place(r)} ${place(r)} 0 1 0 ${place(-2 * r)} 0`;
const bar = (x, y, width, height) => `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}H${x.toFixed(1)}`;

/** Up to 64 grains of a cell as discs, in two paths for zeros and ones, from the bottom up. */
function discs({ capacity, heap }, { x, y, width, height }) {
  const paths = ["", ""];
  const rows = Math.max(1, Math.round(Math.sqrt((capacity * height) / width)));
  const columns = Math.ceil(capacity / rows);
  const [dx, dy] = [width / columns, height / rows];
  heap.forEach((outcome, i) => {
    paths[outcome] += disc(x + dx * ((i % columns) + 0.5), y + height - dy * (Math.floor(i / columns) + 0.5), 0.42 * Math.min(dx, dy));
  });
  return paths;
}

/** More of them as dust: a speck stands for several rounds, and as many specks are ones as of these. */
function dust({ capacity, heap }, { x, y, width, height }) {
  const paths = ["", ""];
  const columns = Math.max(3, Math.round(width / 3.2));
  const [dx, dy] = [width / columns, height / ROWS];
  const rounds = capacity / (columns * ROWS);
  let ones = 0;
  for (let i = 0, fallen = 0; fallen < heap.length; i++) {
    const before = Math.round(ones / rounds);
    while (fallen < Math.min((i + 1) * rounds, heap.length)) ones += heap[fallen++];
    const [left, top] = [x + dx * (i % columns), y + height - dy * (Math.floor(i / columns) + 1)];
    paths[Math.round(ones / rounds) > before ? 1 : 0] += bar(left, top, dx, dy);
  }
  return paths;
}

/** The heap: cells of the first level at the bottom, each as wide as its angle. */
function heapParts(nodes, { left, right }) {
  const x = (p) => left + ((right - left) * Math.asin(Math.sqrt(p))) / (Math.PI / 2);
  const ground = HEAD + LEVELS * LAYER;
  const paths = { faint: ["", ""], fresh: ["", ""] };
  const parts = [];
  for (const node of nodes) {
    const box = { x: x(node.lower), y: ground - LAYER * (node.level + 1), width: x(node.upper) - x(node.lower), height: LAYER };
    if (!node.isFull) parts.push(element("rect", { class: "klcal-sand-glass", ...box }));
    const found = (node.capacity > 64 ? dust : discs)(node, { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: LAYER - 2 });
    found.forEach((path, outcome) => (paths[node.isFull ? "faint" : "fresh"][outcome] += path));
  }
  for (const [kind, both] of Object.entries(paths)) {
    both.forEach((d, outcome) => parts.push(element("path", { class: `klcal-sand-${outcome} klcal-sand-${kind}`, d })));
  }
  parts.push(line("axis", left, ground, right, ground));
  for (const [tick, anchor] of [[0, "start"], [0.05, "middle"], [0.25, "middle"], [0.5, "middle"], [0.75, "middle"], [0.95, "middle"], [1, "end"]]) {
    parts.push(label(x(tick), ground + 15, anchor, String(tick)));
  }
  return { parts, ground };
}

const rounded = (value) => value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 });
const allowed = ({ learning, width, chance }) => learning + width + chance;

/** One account: what was paid, and the terms of what a theorem allows, on a common scale. */
function account(name, theorem, game, scale, { left }, y) {
  const parts = [label(left, y, "start", `${name} paid ${rounded(game.klcal)}; Theorem ${theorem} allows ${rounded(allowed(game))}`, "title")];
  let at = left;
  for (const kind of ["learning", "width", "chance"]) {
    parts.push(element("rect", { class: `klcal-sand-${kind}`, x: at, y: y + 12, width: scale * game[kind], height: 11 }));
    at += scale * game[kind];
  }
  parts.push(element("rect", { class: "klcal-sand-paid", x: left, y: y + 6, width: scale * game.klcal, height: 5 }));
  return parts;
}

function stage({ t, tree, fixed }, size) {
  const { left, right, width } = size;
  const { parts, ground } = heapParts(tree.nodes, size);
  const end = roundedUp(Math.max(20, allowed(tree), fixed ? Math.max(allowed(fixed), fixed.klcal) : 0));
  const scale = (right - left) / end;
  const top = ground + 44;
  parts.push(label(left, 18, "start", `round ${rounded(t)}`, "sign"));
  parts.push(label(right, 18, "end", `${tree.cells} cells, ${tree.nodes.length - tree.cells} were cut`, "title"));
  parts.push(...account("The tree", "E", tree, scale, size, top));
  if (fixed) parts.push(...account(`PAIR with ${fixed.cells} fixed cells`, "A", fixed, scale, size, top + 38));
  parts.push(line("axis", left, top + 64, right, top + 64), label(left, top + 79, "start", "0"), label(right, top + 79, "end", rounded(end)));
  const words = `The tree after ${t} rounds: ${tree.cells} cells, down to level ${Math.max(...tree.nodes.map(({ level }) => level))}.`;
  return picture(width, top + 84, words, parts);
}

function draw(shelf, values) {
  const measured = measuredAt(shelf, values);
  const { t, tree, fixed } = measured;
  const key = ["learning means", "width", "chance"].map((name, i) => `<span class="klcal-sand-key klcal-sand-key-${i}">${name}</span>`);
  const pictures = Object.entries(SIZES).map(([name, size]) => `<div class="klcal-sand-${name}">${stage(measured, size)}</div>`);
  const terms = `${rounded(tree.learning)} for learning means, ${rounded(tree.width)} for width, ${rounded(tree.chance)} for chance`;
  const against = fixed ? ` A fixed grid with ${fixed.cells} cells paid ${rounded(fixed.klcal)}.` : "";
  const words = `Round ${rounded(t)}: the tree paid ${rounded(tree.klcal)}. The bound allows ${rounded(allowed(tree))}: ${terms}.${against}`;
  const worst = ` No game of this length allows more than ${rounded(worstGame(t))}.`;
  return {
    picture: `${pictures.join("")}<p class="klcal-sand-keys">blue: paid · allowed: ${key.join(" ")}</p>`,
    words: t ? words + (t > 1 ? worst : "") : "You are Nature. Say 0 or 1.",
  };
}

/** Go on with the game of a Nature; at its end begin it again. */
function run(shelf, { tab, time }, set) {
  const isOver = time >= TIMES.length - 1;
  if (tab === "you" || (isOver && shelf.isRunning)) {
    shelf.isRunning = false;
    return null;
  }
  shelf.isRunning = true;
  set("time", isOver ? 0 : time + 1);
  return shelf;
}

/** A round of your own. */
const say = (outcome) => (shelf, _, set) => {
  const game = shelf.tree("you");
  if (game.length < LAST_ROUND) game.round(outcome);
  set("tab", "you");
  set("time", TIMES.findIndex((t) => t >= game.length));
  return shelf;
};

function again(shelf, { tab }, set) {
  if (tab === "you") shelf.forget(tab);
  set("time", 0);
  return shelf;
}

export const FIGURE = {
  controls: [
    { tabs: "tab", name: "Nature", options: TABS },
    { button: "zero", name: "0", "aria-label": "outcome 0" },
    { button: "one", name: "1", "aria-label": "outcome 1" },
    { run: "run", name: "Let it run" },
    { button: "again", name: "Start again" },
    { range: "time", name: "rounds", min: 0, max: TIMES.length - 1, step: 1, value: TIMES.indexOf(3162), say: (i, shelf, values) => rounded(shelf ? shownRound(shelf, values) : TIMES[i]), "data-stop": "" },
    { check: "fixed", name: "fixed grid with as many cells" },
  ],
  begin: () => new Shelf(),
  act: { run, zero: say(0), one: say(1), again },
  numbers,
  draw,
};
bring("sand", FIGURE);
