// One game: outcomes against all forecasters at once, with the same uniform numbers.

import { AlgorithmOne, Pair } from "./forecasters.mjs";
import { klCalibration, klFromPseudo, pairBound, theoremTwo, treeBound } from "./measures.mjs";
import { NATURES } from "./nature.mjs";
import { DRAWS, resolution, uniformNumbers } from "./numbers.mjs";
import { Tree } from "./tree.mjs";

/** The probability with which a bound on the drawn forecasts may fail, in some round of the game. */
export const DELTA = 0.01;

/** What is known about a forecaster after a round, with its bounds; null where nothing is promised. */
function measured(player, name, horizon, K) {
  const t = player.rounds;
  const cells = player.everything();
  const pklcal = klCalibration(cells.points, cells.weights);
  const klcal = klCalibration(cells.points, cells.counts);
  if (name === "tree") return { pklcal, klcal, pklcalBound: null, klcalBound: treeBound(cells, DELTA) };
  if (name === "pair") return { pklcal, klcal, pklcalBound: null, klcalBound: pairBound(t, K, DELTA) };
  const pklcalBound = theoremTwo(t, K);
  return { pklcal, klcal, pklcalBound, klcalBound: klFromPseudo(pklcalBound, horizon, K, DELTA) };
}

export class Game {
  constructor({ horizon, seed, K = resolution(horizon) }) {
    Object.assign(this, { horizon, seed, K });
    this.uniforms = [];
    this.nextUniform = uniformNumbers(seed, DRAWS);
    this.restart();
  }

  restart() {
    this.players = { paper: new AlgorithmOne(this.K), pair: new Pair(this.K), tree: new Tree() };
    this.outcomes = [];
    this.draws = { paper: [], pair: [], tree: [] }; // the forecasts that were drawn
    this.history = { paper: [], pair: [], tree: [] };
    this.natures = {};
  }

  get rounds() {
    return this.outcomes.length;
  }

  get isOver() {
    return this.rounds >= this.horizon;
  }

  /** Play one round with the given outcome. */
  play(outcome) {
    if (this.isOver) return;
    if (this.uniforms.length === this.rounds) this.uniforms.push(this.nextUniform());
    const uniform = this.uniforms[this.rounds];
    for (const [name, player] of Object.entries(this.players)) {
      const index = player.draw(uniform);
      this.draws[name].push(player.points[index]);
      player.update(index, outcome);
      this.history[name].push(measured(player, name, this.horizon, this.K));
    }
    this.outcomes.push(outcome);
  }

  /** What the nature of this name chooses next when it plays against one of the forecasters. */
  choice(nature, against) {
    this.natures[nature] ??= NATURES[nature](this.seed);
    return this.natures[nature](this.players[against]);
  }

  /** Take back the last round. */
  undo() {
    const kept = this.outcomes.slice(0, -1);
    this.restart();
    kept.forEach((outcome) => this.play(outcome));
  }

  /** The same game in Python, to the last bit. */
  inPython() {
    return [
      "import klcal",
      "",
      `outcomes = [int(y) for y in "${this.outcomes.join("")}"]`,
      `for algorithm, K in [("paper", ${this.K}), ("pair", ${this.K}), ("tree", None)]:`,
      `    game = klcal.run(outcomes, K, algorithm, rng=${this.seed})`,
      "    print(klcal.kl_calibration(game.expected), klcal.kl_calibration(game.realised))",
    ].join("\n");
  }
}
