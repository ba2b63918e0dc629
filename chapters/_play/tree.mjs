// The tree: PAIR on cells that split. Twin of `klcal.forecasters.tree.FastTree`, to the last bit.

import { exp, ln } from "./elementary.mjs";
import { Forecaster, addWeight } from "./forecasters.mjs";
import { treeCell } from "./numbers.mjs";

/** A node of the tree before its first round; `number` counts the nodes in the order in which they come. */
function newNode(level, position, number) {
  return {
    level,
    position,
    number,
    ...treeCell(level, position),
    capacity: level === 0 ? 1 : (level + 1) * 4 ** (level - 1),
    logPrior: -ln(2 ** level * (level + 1) * (level + 2)),
    weights: [0, 0],
    carries: [0, 0],
    counts: [0, 0],
    logWealth: 0,
  };
}

/** How many rounds a node has had. */
export const roundsOf = ({ counts: [zeros, ones] }) => ones + zeros;

/** The Krichevsky-Trofimov mean of a node. */
export const meanOf = ({ counts: [zeros, ones] }) => (ones + 0.5) / (ones + zeros + 1);

export class Tree extends Forecaster {
  constructor() {
    super();
    this.active = [newNode(0, 0, 0)];
    this.full = [];
    this.logTotal = 0; // of the product of all wealths
    this.mixture = this.nextMixture();
  }

  get points() {
    return this.active.map(({ point }) => point);
  }

  get leanings() {
    return this.active.map(meanOf);
  }

  get weights() {
    return [0, 1].map((outcome) => this.active.map(({ weights }) => weights[outcome]));
  }

  get counts() {
    return [0, 1].map((outcome) => this.active.map(({ counts }) => counts[outcome]));
  }

  get boundaries() {
    return [0, ...this.active.map(({ upper }) => upper)];
  }

  everything() {
    const nodes = [...this.active, ...this.full].sort((one, other) => one.point - other.point);
    return {
      points: nodes.map(({ point }) => point),
      weights: [0, 1].map((outcome) => nodes.map(({ weights }) => weights[outcome])),
      counts: [0, 1].map((outcome) => nodes.map(({ counts }) => counts[outcome])),
      levels: nodes.map(({ level }) => level),
    };
  }

  nextMixture() {
    const { active } = this;
    let lowest = -1; // of the pairs whose means lie beyond their common boundary
    let below = 0; // the mean of the node before this one
    for (let i = 0; i < active.length; i++) {
      const { lower, upper } = active[i];
      const mean = meanOf(active[i]);
      if (lower <= mean && mean <= upper) return { members: [i], shares: [1] };
      if (lowest < 0 && below > lower && lower > mean) lowest = i - 1;
      below = mean;
    }
    const [low, high] = [active[lowest], active[lowest + 1]];
    const [stake, nextStake] = this.stakes(lowest);
    const down = (meanOf(low) - low.upper) * stake;
    const up = (low.upper - meanOf(high)) * nextStake;
    return { members: [lowest, lowest + 1], shares: [up / (up + down), down / (up + down)] };
  }

  /** The weights of nodes i and i + 1, product of all wealths plus prior times wealth, divided by the same number. */
  stakes(i) {
    const [below, above] = [this.active[i], this.active[i + 1]].map((node) => node.logPrior + node.logWealth);
    const top = Math.max(this.logTotal, below, above);
    const shared = exp(this.logTotal - top);
    return [shared + exp(below - top), shared + exp(above - top)];
  }

  /** End a round: bet, count the drawn forecast and the mixture, split a full node. */
  update(index, outcome) {
    const { members, shares } = this.mixture;
    const drawn = this.active[index];
    if (members.length === 2) {
      const boundary = this.active[members[0]].upper;
      const mean = meanOf(drawn);
      const gain = ln(outcome === 1 ? mean / boundary : (1 - mean) / (1 - boundary));
      drawn.logWealth += gain;
      this.logTotal += gain;
    }
    members.forEach((i, s) => addWeight(this.active[i].weights, this.active[i].carries, outcome, shares[s]));
    drawn.counts[outcome] += 1;
    this.rounds += 1;
    if (roundsOf(drawn) >= drawn.capacity) this.split(index);
    this.mixture = this.nextMixture();
  }

  split(index) {
    const { level, position } = this.active[index];
    const number = this.active.length + this.full.length;
    const children = [0, 1].map((right) => newNode(level + 1, 2 * position + right, number + right));
    this.full.push(...this.active.splice(index, 1, ...children));
  }
}
