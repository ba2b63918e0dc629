// One game: outcomes against all forecasters at once, with the same uniform numbers.

import { AlgorithmOne, Pair } from "./forecasters.mjs";
import { klCalibration, pairBound, theoremTwo, treeBound } from "./measures.mjs";
import { NATURES } from "./nature.mjs";
import { DRAWS, resolution, uniformNumbers } from "./numbers.mjs";
import { Tree } from "./tree.mjs";

/** The probability with which a bound on the drawn forecasts may fail, in some round of the game. */
const DELTA = 0.01;

/** The forecasters, what each pays for, odds or draws, and the bound on it. */
export const PLAYERS = {
  paper: { name: "Algorithm 1", pays: "weights", create: (K) => new AlgorithmOne(K), bound: ({ rounds }, K) => theoremTwo(rounds, K) },
  pair: { name: "PAIR", pays: "counts", create: (K) => new Pair(K), bound: ({ rounds }, K) => pairBound(rounds, K, DELTA) },
  tree: { name: "the tree", pays: "counts", create: () => new Tree(), bound: (tree) => treeBound(tree.everything(), DELTA) },
};

export class Game {
  constructor({ horizon, seed, K = resolution(horizon), names = Object.keys(PLAYERS) }) {
    Object.assign(this, { horizon, seed, K, names });
    this.uniforms = [];
    this.nextUniform = uniformNumbers(seed, DRAWS);
    this.rivals = {};
    this.takenBack = 0;
    this.restart();
  }

  restart() {
    const table = (make) => Object.fromEntries(this.names.map((name) => [name, make(name)]));
    this.players = table((name) => PLAYERS[name].create(this.K));
    this.draws = table(() => []); // the forecasts that were drawn
    this.history = table(() => []); // what was paid so far, and the bound on it
    this.outcomes = [];
    this.authors = []; // who chose them
    this.natures = {};
  }

  get rounds() {
    return this.outcomes.length;
  }

  get isOver() {
    return this.rounds >= this.horizon;
  }

  /** Play one round with the given outcome. */
  play(outcome, author = "you") {
    if (this.isOver) return;
    if (this.uniforms.length === this.rounds) this.uniforms.push(this.nextUniform());
    const uniform = this.uniforms[this.rounds];
    for (const [name, player] of Object.entries(this.players)) {
      const index = player.draw(uniform);
      this.draws[name].push(player.points[index]);
      player.update(index, outcome);
      const { pays, bound } = PLAYERS[name];
      const cells = player.everything();
      this.history[name].push({ paid: klCalibration(cells.points, cells[pays]), bound: bound(player, this.K) });
    }
    this.outcomes.push(outcome);
    this.authors.push(author);
  }

  /** What the nature of this name chooses next when it plays against one of the forecasters. */
  choice(nature, against) {
    this.natures[nature] ??= NATURES[nature](this.seed);
    return this.natures[nature](this.players[against]);
  }

  /** Let a nature play until so many rounds are over. */
  run(nature, against, rounds) {
    while (this.rounds < Math.min(rounds, this.horizon)) this.play(this.choice(nature, against), nature);
  }

  /** What greedy makes a forecaster pay in as many rounds, with the same draws. */
  greedily(name) {
    this.rivals[name] ??= new Game({ ...this, names: [name] });
    this.rivals[name].run(PLAYERS[name].pays === "weights" ? "greedy" : "greedy realised", name, this.rounds);
    return this.rivals[name].history[name][this.rounds - 1].paid;
  }

  /** Take back the last round. */
  undo() {
    const [outcomes, authors] = [this.outcomes, this.authors];
    this.takenBack += 1;
    this.restart();
    outcomes.slice(0, -1).forEach((outcome, t) => this.play(outcome, authors[t]));
  }

  /** The same game in Python, to the last bit. */
  inPython() {
    if (this.rounds === 0) return "# No round has been played yet.";
    return [
      "import klcal",
      "",
      `outcomes = [int(y) for y in "${this.outcomes.join("")}"]`,
      `for algorithm, K in [("paper", ${this.K}), ("pair", ${this.K}), ("tree", None)]:`,
      `    game = klcal.run(outcomes, K, algorithm, rng=${this.seed})`,
      '    print(klcal.kl_calibration(game.expected if algorithm == "paper" else game.realised))',
    ].join("\n");
  }
}
