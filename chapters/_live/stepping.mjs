// A forecaster round by round: the reader, or a nature, says what happens.

import { NATURES } from "../_play/nature.mjs";
import { DRAWS, uniformNumbers } from "../_play/numbers.mjs";

const SEED = 0;
const LONGEST = 5000;

/** A game before its first round. */
export function newGame(player) {
  return { player, next: uniformNumbers(SEED, DRAWS), natures: {}, outcomes: [], draws: [] };
}

/** Play one round; null when the game is long enough. */
export function round(state, outcome) {
  if (state.outcomes.length >= LONGEST) return null;
  const index = state.player.draw(state.next());
  state.draws.push(state.player.points[index]);
  state.player.update(index, outcome);
  state.outcomes.push(outcome);
  return state;
}

/** Play one round with the outcome of a nature. */
export function answered(state, nature) {
  state.natures[nature] ??= NATURES[nature](SEED);
  return round(state, state.natures[nature](state.player));
}

/** What a round of the reader's own needs: two buttons and what they do. */
export const BIT_BUTTONS = [
  { button: "zero", name: "0", "aria-label": "outcome 0" },
  { button: "one", name: "1", "aria-label": "outcome 1" },
];
export const BY_HAND = { zero: (state) => round(state, 0), one: (state) => round(state, 1) };

/** The last round in words. */
export function lastRound({ outcomes, draws }) {
  return outcomes.length ? `Round ${outcomes.length}: ${draws.at(-1).toFixed(3)} was drawn, ${outcomes.at(-1)} happened. ` : "";
}
