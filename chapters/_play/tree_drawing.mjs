// The tree as a picture: a row per level, a box per cell, filled as its rounds fill its capacity. The axis is the angle
// of which forecasts are the squared sines, so that all cells of a level are equally wide.

import { element, label, line, picture } from "./svg.mjs";
import { meanOf, roundsOf } from "./tree.mjs";

const WIDTH = 340;
const [LEFT, RIGHT, TOP, ROW] = [14, 326, 28, 30];

/** Cells of all levels; active ones show their mean as a disc, which may lie outside its cell. */
export function treePicture(tree) {
  const x = (p) => LEFT + ((RIGHT - LEFT) * Math.asin(Math.sqrt(p))) / (Math.PI / 2);
  const deepest = Math.max(3, ...tree.active.map(({ level }) => level));
  const y = (level) => TOP + ROW * level;
  const bottom = y(deepest + 1);
  const members = tree.mixture.members.map((i) => tree.active[i]);
  const parts = [label(LEFT, TOP - 10, "start", "cells, level by level", "title")];
  const box = (kind, node, width) =>
    element("rect", { class: `klcal-play-${kind}`, x: x(node.lower), y: y(node.level) + 3, width, height: ROW - 8 });
  for (const node of tree.full) parts.push(box("cell-full", node, x(node.upper) - x(node.lower)));
  for (const node of tree.active) {
    const width = x(node.upper) - x(node.lower);
    parts.push(box("cell-filled", node, (width * roundsOf(node)) / node.capacity));
    parts.push(box(members.includes(node) ? "cell-next" : "cell-active", node, width));
  }
  for (const node of tree.active) {
    if (roundsOf(node) === 0) continue;
    const [at, height] = [x(meanOf(node)), y(node.level) + ROW / 2 - 1];
    const end = Math.min(Math.max(meanOf(node), node.lower), node.upper);
    parts.push(line("reach", x(end), height, at, height));
    parts.push(element("circle", { class: "klcal-play-mean", cx: at, cy: height, r: 3.5 }));
  }
  parts.push(line("axis", LEFT, bottom, RIGHT, bottom));
  for (const tick of [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]) parts.push(label(x(tick), bottom + 15, "middle", String(tick)));
  const words =
    `The tree after ${tree.rounds} rounds: ${tree.active.length} active cells, ` +
    `${tree.full.length} that were full and have split, down to level ${Math.max(...tree.active.map(({ level }) => level))}.`;
  return picture(WIDTH, bottom + 24, words, parts);
}
