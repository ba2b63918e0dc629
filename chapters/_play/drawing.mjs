// Pictures of a game as text of HTML and SVG.

import { element, label, line, picture, place, roundedUp } from "./svg.mjs";

/** The mixture of the coming round, in words. */
export function mixtureInWords({ points, mixture: { members, shares } }) {
  return members.map((i, s) => `${points[i].toFixed(3)} with probability ${shares[s].toFixed(3)}`).join(", ");
}

/** Forecasts with their frequency of ones and their mass, of those cells that have any. */
export function buckets(points, [zeros, ones]) {
  return Array.from(points, (z, i) => [z, ones[i] / (ones[i] + zeros[i]), ones[i] + zeros[i]]).filter(([, , mass]) => mass > 0);
}

/** The axes of a reliability diagram: forecasts from left to right, frequencies from bottom to top. */
export function axes({ left, right, top, bottom, foot = bottom }, tickText = String) {
  const x = (p) => left + (right - left) * p;
  const y = (rho) => bottom - (bottom - top) * rho;
  const parts = [];
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(line("grid", left, y(tick), right, y(tick)), line("grid", x(tick), top, x(tick), bottom));
    parts.push(label(left - 6, y(tick) + 4, "end", tickText(tick)), label(x(tick), foot + 15, "middle", tickText(tick)));
  }
  parts.push(line("diagonal", x(0), y(0), x(1), y(1)));
  return { x, y, parts };
}

/** A disc for each bucket, its area growing with its share of all rounds. */
export function discs({ x, y }, rows, rounds, kind) {
  const radius = (mass) => Math.sqrt(8 + 420 * (mass / rounds));
  return rows.map(([p, rho, mass]) => element("circle", { class: `klcal-play-${kind}`, cx: x(p), cy: y(rho), r: radius(mass) }));
}

/** A line for each bucket, from where it should be to where it is. */
export const misses = ({ x, y }, rows) => rows.map(([p, rho]) => line("miss", x(p), y(p), x(p), y(rho)));

/** Expected and realised cells: rings and discs. */
const BOTH = [["expected", "weights"], ["realised", "counts"]];

/** Reliability diagram, and the mixture of the coming round below it: both kinds of cells, or one with its last draw. */
export function cellsPicture(player, name, kinds = BOTH, last = null) {
  const [left, right, top, foot, lift] = [36, 318, 20, 286, 36];
  const { x, y, parts } = axes({ left, right, top, bottom: 226, foot });
  parts.push(label(left, top - 8, "start", "frequency of ones", "title"));
  const cells = player.everything();
  for (const [kind, pays] of kinds) {
    const rows = buckets(cells.points, cells[pays]);
    if (kinds !== BOTH) parts.push(...misses({ x, y }, rows));
    parts.push(...discs({ x, y }, rows, player.rounds, kind), ...discs({ x, y }, rows.filter(([p]) => p === last), player.rounds, "last"));
  }
  // What PAIR calls a cell: the mean of a point should lie between these ends.
  const ends = kinds === BOTH ? (player.boundaries ?? []) : [];
  for (const end of ends) parts.push(line("boundary", x(end), foot, x(end), foot + 5));
  const { points, mixture } = player;
  parts.push(...points.map((z) => line("point", x(z), foot - 3, x(z), foot)), line("axis", left, foot, right, foot));
  mixture.members.forEach((i, s) => {
    const tall = lift * mixture.shares[s];
    parts.push(element("rect", { class: "klcal-play-bar", x: x(points[i]) - 4, y: foot - tall, width: 8, height: tall }));
  });
  parts.push(label(left, foot - lift - 7, "start", "next forecast", "title"), label((left + right) / 2, foot + 31, "middle", "forecast", "title"));
  const words = `Reliability diagram of ${name} after ${player.rounds} rounds. Next forecast: ${mixtureInWords(player)}.`;
  return picture(330, 322, words, parts);
}

/** Where the logarithmic axis of what is paid begins; what is smaller lies on its lower end. */
const FLOOR = 0.1;

/** What all players have paid over the rounds, each with its bound, in one panel that is as wide as the page. */
export function errorsPicture(history, players) {
  const rounds = Object.values(history)[0].length;
  const last = roundedUp(Math.max(rounds, 10));
  const largest = Math.max(10, ...Object.values(history).map((path) => path.at(-1)?.bound ?? 0));
  const decades = Math.ceil(Math.log10(largest / FLOOR));
  const x = (t) => (1000 * t) / last;
  const y = (value) => 100 - (100 * Math.log10(Math.max(value, FLOOR) / FLOOR)) / decades;
  const lines = [];
  const texts = [];
  for (let k = 0; k <= decades; k++) {
    const value = FLOOR * 10 ** k;
    lines.push(line("grid", 0, y(value), 1000, y(value)));
    texts.push(`<span class="klcal-play-tick" style="top: ${place(y(value))}%">${Number(value.toPrecision(1))}</span>`);
  }
  const stride = Math.ceil(rounds / 300);
  const isKept = (_, i) => (rounds - 1 - i) % stride === 0;
  const ends = [];
  for (const [key, path] of Object.entries(history)) {
    for (const what of ["bound", "paid"]) {
      const points = path.map((now, i) => `${place(x(i + 1))},${place(y(now[what]))}`).filter(isKept).join(" ");
      lines.push(`<polyline class="klcal-play-${what}" data-player="${key}" points="${points}"/>`);
    }
    ends.push([key, y(path.at(-1)?.paid ?? FLOOR)]);
  }
  // Names that would lie on each other are moved apart.
  ends.sort(([, one], [, other]) => other - one).forEach((end, n) => {
    if (n) end[1] = Math.min(end[1], ends[n - 1][1] - 11);
    texts.push(`<span class="klcal-play-name" data-player="${end[0]}" style="top: ${place(end[1])}%">${players[end[0]].name}</span>`);
  });
  for (const part of [0, 0.5, 1]) {
    texts.push(`<span class="klcal-play-round" style="left: ${100 * part}%">${part === 1 ? "round " : ""}${part * last}</span>`);
  }
  const words = `What each forecaster has paid after ${rounds} rounds, and its bound, on a logarithmic axis.`;
  return (
    `<svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="${words}">${lines.join("")}</svg>` +
    `<div>${texts.join("")}</div>`
  );
}
