// Live figures without a browser: `node figures.mjs < requests.json`. A request names a figure, values of its controls that
// differ from the first ones, and actions; the answer has the numbers, the sentence, the picture, and the first state as HTML.

import { readFileSync } from "node:fs";
import { controlPanel, firstValues } from "../../chapters/_live/live.mjs";

/** What stands inside a figure before its script: controls, for which there is room only, picture and sentence. */
function firstState(figure, drawn) {
  const { picture, words } = figure.still?.() ?? drawn;
  return [
    `<div class="klcal-live-controls" hidden>${controlPanel(figure)}</div>`,
    `<div data-show="picture">${picture}</div>`,
    `<p class="klcal-live-words" data-show="words" role="status">${words}</p>`,
  ].join("\n");
}

const answers = [];
for (const { name, values = {}, actions = [] } of JSON.parse(readFileSync(0, "utf8"))) {
  const { FIGURE } = await import(`../../chapters/_live/${name}.mjs`);
  const set = { ...firstValues(FIGURE), ...values };
  const move = (control, value) => (set[control] = value);
  let state = FIGURE.begin?.(set) ?? null;
  for (const action of actions) state = FIGURE.act[action](state, set, move) ?? state;
  const drawn = FIGURE.draw(state, set);
  answers.push({ numbers: FIGURE.numbers(state, set), ...drawn, still: firstState(FIGURE, drawn) });
}
process.stdout.write(JSON.stringify(answers));
