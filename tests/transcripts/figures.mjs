// Live figures without a browser: `node figures.mjs < requests.json`. A request names a figure, values of its controls that
// differ from the first ones, and actions; the answer has the numbers, the sentence, and the first picture.

import { readFileSync } from "node:fs";
import { firstValues } from "../../chapters/_live/live.mjs";

const answers = [];
for (const { name, values = {}, actions = [] } of JSON.parse(readFileSync(0, "utf8"))) {
  const { FIGURE } = await import(`../../chapters/_live/${name}.mjs`);
  const set = { ...firstValues(FIGURE), ...values };
  let state = FIGURE.begin?.(set) ?? null;
  for (const action of actions) state = FIGURE.act[action](state, set) ?? state;
  const { picture, words } = FIGURE.draw(state, set);
  answers.push({ numbers: FIGURE.numbers(state, set), words, picture, still: FIGURE.still?.() ?? picture });
}
process.stdout.write(JSON.stringify(answers));
