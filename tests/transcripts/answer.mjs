// Reads requests from standard input and answers each: `node answer.mjs < requests.json`.

import { readFileSync } from "node:fs";
import { ANSWERS } from "./replay.mjs";

const requests = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(requests.map(([kind, argument]) => ANSWERS[kind](argument))));
