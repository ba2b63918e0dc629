// Tells the sign game of the page as `told.json` does, on boards of at most 15 cells as the page has: `node answer.mjs`.

import { readFileSync } from "node:fs";
import { bestAnswer, bestCell, canForce, gain, pointed, staircase } from "../../../chapters/_live/sign_game.mjs";

const stored = JSON.parse(readFileSync(new URL("told.json", import.meta.url), "utf8"));
const fresh = (cells) => [...cells].flatMap((cell, i) => (cell === "." ? [i] : []));

function played({ n, k, nature, answers }) {
  const turns = [];
  let cells = ".".repeat(n);
  const next = () => (nature === "staircase" ? staircase : bestCell)(cells, k);
  for (let cell = next(); cell !== null; cell = next()) {
    const sign = answers ? answers[turns.length % answers.length] : bestAnswer(cells, cell);
    cells = pointed(cells, cell, sign);
    turns.push([cell, sign, cells]);
  }
  return turns;
}

process.stdout.write(
  JSON.stringify({
    values: stored.values.map((_, n) => gain(".".repeat(n))),
    plays: stored.plays.filter(({ n }) => n <= 15).map((play) => ({ ...play, turns: played(play) })),
    positions: stored.positions.filter(({ board }) => board.length <= 15).map(({ board, k }) => ({
      board,
      k,
      forced: canForce(board, k),
      best_cell: bestCell(board, k),
      best_answers: Object.fromEntries(fresh(board).map((cell) => [cell, bestAnswer(board, cell)])),
    })),
  }),
);
