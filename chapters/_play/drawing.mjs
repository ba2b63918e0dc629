// Pictures of a game as text of SVG.

import { element, label, line, picture, place, roundedUp, shown } from "./svg.mjs";

/** The mixture of the coming round, in words. */
export function mixtureInWords({ points, mixture: { members, shares } }) {
  return members.map((i, s) => `${points[i].toFixed(3)} with probability ${shares[s].toFixed(3)}`).join(", ");
}

/** The frame of both coordinate systems: diagram above, mixture below, on the same axis of forecasts. */
const FRAME = { width: 340, height: 388, left: 40, right: 326, top: 28, bottom: 278, foot: 350, lift: 48 };

/** Reliability diagram with the mixture of the coming round below it. */
export function cellsPicture(player, name) {
  const { width, height, left, right, top, bottom, foot, lift } = FRAME;
  const x = (p) => left + (right - left) * p;
  const y = (rho) => bottom - (bottom - top) * rho;
  const parts = [];
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(line("grid", left, y(tick), right, y(tick)), line("grid", x(tick), top, x(tick), bottom));
    parts.push(label(left - 6, y(tick) + 4, "end", String(tick)), label(x(tick), foot + 15, "middle", String(tick)));
  }
  parts.push(line("diagonal", x(0), y(0), x(1), y(1)));
  parts.push(label(left, top - 10, "start", "frequency of ones", "title"));
  // What PAIR calls a cell: the mean of a point should lie between these ends.
  for (const end of player.boundaries ?? []) parts.push(line("boundary", x(end), foot, x(end), foot + 5));
  for (const z of player.points) parts.push(line("point", x(z), foot - 3, x(z), foot));
  const { points, weights, counts } = player.everything();
  for (const [kind, cells] of [["expected", weights], ["realised", counts]]) {
    points.forEach((z, i) => {
      const mass = cells[0][i] + cells[1][i];
      if (mass === 0) return;
      // The area grows with the share of all rounds, from a visible least size on.
      const r = Math.sqrt(8 + 260 * (mass / player.rounds));
      parts.push(element("circle", { class: `klcal-play-${kind}`, cx: x(z), cy: y(cells[1][i] / mass), r }));
    });
  }
  parts.push(line("axis", left, foot, right, foot), label(left, foot - lift - 7, "start", "next forecast", "title"));
  player.mixture.members.forEach((i, s) => {
    const tall = lift * player.mixture.shares[s];
    parts.push(element("rect", { class: "klcal-play-bar", x: x(player.points[i]) - 4, y: foot - tall, width: 8, height: tall }));
  });
  parts.push(label((left + right) / 2, foot + 33, "middle", "forecast", "title"));
  const words = `Reliability diagram of ${name} after ${player.rounds} rounds. Next forecast: ${mixtureInWords(player)}.`;
  return picture(width, height, words, parts);
}

/** About `count` indices from 0 to length - 1, evenly spaced, the last among them. */
function spread(length, count) {
  const stride = Math.max(1, Math.ceil(length / count));
  const indices = [];
  for (let i = length - 1; i >= 0; i -= stride) indices.push(i);
  return indices.reverse();
}

/** Where the logarithmic axis of the measures begins; what is smaller lies on its lower end. */
const FLOOR = 0.1;

/** PKLCal and KLCal over the rounds, with the bound of the one that the forecaster is made for. */
export function pathPicture(history, boundOf, name) {
  const [width, height, left, right, top, bottom] = [340, 190, 40, 326, 28, 152];
  const rounds = history.length;
  const now = history[rounds - 1];
  const lastRound = roundedUp(Math.max(rounds, 10));
  const decades = Math.max(2, Math.ceil(Math.log10(Math.max(1, now?.[boundOf] ?? 1) / FLOOR)));
  const x = (t) => left + ((right - left) * t) / lastRound;
  const y = (value) => bottom - ((bottom - top) * Math.log10(Math.max(value, FLOOR) / FLOOR)) / decades;
  const parts = [label(left, top - 10, "start", "sum over rounds, logarithmic", "title")];
  for (let k = 0; k <= decades; k++) {
    const value = FLOOR * 10 ** k;
    parts.push(line("grid", left, y(value), right, y(value)));
    parts.push(label(left - 6, y(value) + 4, "end", String(Number(value.toPrecision(1)))));
  }
  for (const [part, anchor] of [[0, "middle"], [0.5, "middle"], [1, "end"]]) {
    parts.push(label(x(part * lastRound), bottom + 15, anchor, String(part * lastRound)));
  }
  parts.push(label((left + right) / 2, bottom + 31, "middle", "round", "title"));
  const indices = spread(rounds, 300);
  for (const [kind, key] of [["bound", boundOf], ["path-expected", "pklcal"], ["path-realised", "klcal"]]) {
    const points = indices.map((i) => `${place(x(i + 1))},${place(y(history[i][key]))}`).join(" ");
    if (rounds) parts.push(`<polyline class="klcal-play-${kind}" points="${points}"/>`);
  }
  if (rounds) {
    const [at, anchor] = x(rounds) > right - 60 ? [right, "end"] : [x(rounds) + 6, "start"];
    parts.push(label(at, y(now[boundOf]) + (anchor === "end" ? 15 : 4), anchor, "bound", "bound-label"));
  }
  const words = rounds
    ? `${name} after ${rounds} rounds: PKLCal ${shown(now.pklcal)}, KLCal ${shown(now.klcal)}, bound ${shown(now[boundOf])}.`
    : `${name}: no rounds yet.`;
  return picture(width, height, words, parts);
}

/** The last outcomes as a row of ticks, up for 1 and down for 0. */
export function stripPicture(outcomes) {
  const kept = outcomes.slice(-120);
  const parts = [line("axis", 0, 14, 720, 14)];
  kept.forEach((outcome, i) => {
    const x = 3 + 6 * (120 - kept.length + i);
    parts.push(element("rect", { class: `klcal-play-outcome-${outcome}`, x: x - 2, y: outcome ? 3 : 14, width: 4, height: 11 }));
  });
  return `<svg viewBox="0 0 720 28" preserveAspectRatio="xMaxYMid meet" aria-hidden="true">${parts.join("")}</svg>`;
}
