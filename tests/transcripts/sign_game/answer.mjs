// Tells what the live figure of the sign game says about rows: `node answer.mjs < requests.json`.

import { readFileSync } from "node:fs";
import { bestAnswer, bestCell, canForce, gain, pointed } from "../../../chapters/_live/sign_game.mjs";

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ row, k }) => {
  const fresh = [...row].flatMap((cell, i) => (cell === "." ? [i] : []));
  const each = (tell) => Object.fromEntries(fresh.map((cell) => [cell, tell(cell)]));
  return {
    gain: gain(row),
    forced: canForce(row, k),
    best_cell: bestCell(row, k),
    after: each((cell) => ["-", "+"].map((sign) => pointed(row, cell, sign))),
    best_answers: each((cell) => bestAnswer(row, cell)),
  };
});
process.stdout.write(JSON.stringify(answers));
