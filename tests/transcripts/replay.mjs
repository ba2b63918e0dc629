// Plays whole games from a description and tells everything about them; the tests compare it with klcal.

import { TRIES, pictures, sentences, setUp } from "../../chapters/_play/duel.mjs";
import { exp, ln } from "../../chapters/_play/elementary.mjs";
import { Game } from "../../chapters/_play/game.mjs";
import { fullGrid, innerGrid, pairBoundaries, resolution, treeCell, uniformNumbers } from "../../chapters/_play/numbers.mjs";

/** Play the game of one request: given outcomes, or a nature against one of the forecasters. */
export function replay({ horizon, seed, K, outcomes, nature, against }) {
  const game = new Game({ horizon, seed, K });
  const mixtures = { paper: [], pair: [], tree: [] };
  for (let t = 0; t < (outcomes ? outcomes.length : horizon); t++) {
    for (const [name, player] of Object.entries(game.players)) {
      const { members, shares } = player.mixture;
      mixtures[name].push(members.map((i, s) => [player.points[i], shares[s]]).filter(([, share]) => share > 0));
    }
    game.play(outcomes ? Number(outcomes[t]) : game.choice(nature, against));
  }
  const told = Object.entries(game.players).map(([name, player]) => [
    name,
    {
      draws: game.draws[name],
      mixtures: mixtures[name],
      weights: player.everything().weights.map((row) => [...row]),
      counts: player.everything().counts.map((row) => [...row]),
      points: player.everything().points,
      leanings: [...player.leanings],
      logWealths: player.active?.map(({ logWealth }) => logWealth) ?? [],
      measures: game.history[name],
    },
  ]);
  return { K: game.K, outcomes: game.outcomes.join(""), ...Object.fromEntries(told) };
}

/** The board of the opened page: what stands in its places. */
function firstBoard() {
  const { nature, against, look } = TRIES.oppose;
  const game = setUp({ nature, against }, { horizon: 1000, seed: 0 });
  return { ...pictures(game), ...sentences(game, against), look };
}

/** What greedy makes each forecaster pay in the rounds of a game. */
function rivals({ horizon, seed, outcomes }) {
  const game = new Game({ horizon, seed });
  [...outcomes].forEach((outcome) => game.play(Number(outcome)));
  return game.names.map((name) => game.greedily(name));
}

/** What the tests may ask for, by name. */
export const ANSWERS = {
  replay,
  firstBoard,
  rivals,
  tables: (K) => ({ full: fullGrid(K), inner: innerGrid(K), boundaries: pairBoundaries(K) }),
  treeCells: (nodes) => nodes.map(([level, position]) => treeCell(level, position)),
  resolutions: (horizons) => horizons.map(resolution),
  uniforms: ({ seed, count, key }) => Array.from({ length: count }, uniformNumbers(seed, key === null ? undefined : BigInt(key))),
  logarithms: (numbers) => numbers.map((text) => ln(Number(text)).toString()),
  exponentials: (numbers) => numbers.map((text) => exp(Number(text)).toString()),
};
