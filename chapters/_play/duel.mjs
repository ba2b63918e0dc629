// What the board of the duel says and shows: functions of a game alone, so that they run without a browser.

import { cellsPicture, errorsPicture } from "./drawing.mjs";
import { Game, PLAYERS } from "./game.mjs";

/** How many rounds are played when a board is set up. */
const ROUNDS = 200;

/** Boards to look at: who plays against whom, and what there is to see. The opened page has the first. */
export const TRIES = {
  oppose: {
    nature: "oppose",
    against: "paper",
    look: "Nature says 1 whenever the announced mean of Algorithm 1 is below one half, and 0 otherwise. With single numbers Algorithm 1 would be wrong every time; it answers with odds.",
  },
  zeros: {
    nature: "zeros",
    against: "tree",
    look: "The frame is on the tree. All three move to the left. The grids of Algorithm 1 and PAIR have no point 0, so every round costs them a little: the term proportional to T in their bounds. The tree makes cells nearer and nearer to 0. Greedy need not be the best Nature: look at the score.",
  },
  border: {
    nature: "border",
    against: "paper",
    look: "Nature drives the learner of the likeliest forecast across the nearer grid point, and Algorithm 1 has to go elsewhere. How many points do its odds use?",
  },
  greedy: {
    nature: "greedy realised",
    against: "pair",
    look: "The frame is on PAIR. In each round Nature takes the outcome after which PAIR's draws have cost more on average (“greedy realised”). Can you take more in as many rounds?",
  },
  feed: {
    nature: "feed the richer",
    against: "tree",
    look: "The frame is on the tree: Nature opposes single forecasts; of two it pushes the one that has paid more further away. Against this the coin of the tree has weights.",
  },
  draws: {
    look: "What Algorithm 1 pays has not changed: its odds depend on the outcomes alone. The others learn from their draws.",
  },
};

/** A board that is set up: a new game with some rounds, or the outcomes of the present one with the next seed. */
export function setUp({ nature, against }, { horizon, seed, outcomes, authors }) {
  const game = new Game({ horizon, seed: nature ? seed : seed + 1 });
  if (nature) game.run(nature, against, ROUNDS);
  else outcomes.forEach((outcome, t) => game.play(outcome, authors[t]));
  return game;
}

/** A sum for a reader: two digits. */
const twoDigits = (value) => (value < 10 ? value.toPrecision(2) : value.toFixed(0));

/** Who made a forecaster pay how much, what greedy takes in as many rounds if it is another sum, and the bound. */
function score(game, against) {
  const { name } = PLAYERS[against];
  if (game.rounds === 0) return `Make ${name} pay: press 0 or 1.`;
  const { paid, bound } = game.history[against].at(-1);
  const who = [...new Set(game.authors)].map((author) => (author === "you" ? "you" : `\u201c${author}\u201d`)).join(" and ");
  const peeked = game.takenBack && against !== "paper" ? " Rounds were taken back: the bound promises nothing then." : "";
  const rival = game.greedily(against);
  return (
    `${who[0].toUpperCase()}${who.slice(1)} made ${name} pay ${twoDigits(paid)} in ${game.rounds} ${game.rounds === 1 ? "round" : "rounds"}; ` +
    `${rival === paid ? "" : `greedy makes it pay ${twoDigits(rival)}; `}the bound is ${Math.ceil(bound)}.${peeked}`
  );
}

/** What the forecasters announce for the coming round. */
function announced(game) {
  if (game.isOver) return "The last round is over.";
  const clauses = Object.entries(PLAYERS).map(([key, { name }]) => {
    const { points, mixture } = game.players[key];
    const odds = mixture.members.map((i, s) => [points[i].toFixed(2), Math.round(100 * mixture.shares[s])]);
    const likely = odds.filter(([, share]) => share > 0).map(([p, share]) => (share === 100 ? p : `${p} (${share}%)`));
    return `${name} says ${likely.join(" or ")}`;
  });
  return `Next, ${clauses.join("; ")}.`;
}

/** The sentences about a game by the name of their place. */
export const sentences = (game, against) => ({ score: score(game, against), announced: announced(game) });

/** The pictures of a game by the name of their place. */
export function pictures(game) {
  const places = { round: `Round ${game.rounds} of ${game.horizon}`, errors: errorsPicture(game.history, PLAYERS) };
  for (const [key, kind] of Object.entries(PLAYERS)) {
    const { paid, bound } = game.history[key].at(-1) ?? { paid: 0, bound: 0 };
    places[`${key}-paid`] = `${kind.pays === "weights" ? "PKLCal" : "KLCal"} ${twoDigits(paid)}, bound ${Math.ceil(bound)}`;
    places[key] = cellsPicture(game.players[key], kind.name, [["disc", kind.pays]], game.draws[key].at(-1));
  }
  return places;
}
