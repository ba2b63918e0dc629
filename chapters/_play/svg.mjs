// Pieces of pictures as text of SVG; colours are the business of the style sheet.

/** A number for a picture: short, and never in exponential form. */
export const place = (x) => Number(x.toFixed(2)).toString();

export const element = (tag, attributes, content = "") =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${typeof value === "number" ? place(value) : value}"`)
    .join(" ")}>${content}</${tag}>`;

export const line = (kind, x1, y1, x2, y2) => element("line", { class: `klcal-play-${kind}`, x1, y1, x2, y2 });
export const label = (x, y, anchor, content, kind = "label") =>
  element("text", { class: `klcal-play-${kind}`, x, y, "text-anchor": anchor }, content);

/** A disc that a pointer drags along the axis `x`; the range called `name` follows it. */
export const grip = (name, kind, x, at, y) =>
  element(
    "g",
    { class: "klcal-play-grip", "data-drag": name, "data-zero": x(0), "data-one": x(1) },
    element("circle", { class: "klcal-play-hold", cx: x(at), cy: y, r: 15 }) + element("circle", { class: `klcal-play-${kind}`, cx: x(at), cy: y, r: 5 }),
  );

export function picture(width, height, description, content) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">${content.join("")}</svg>`;
}

/** Axes with a tick at each of the increasing numbers `xs` and `ys`, whose first and last are the ends; what lies on them. */
export function frame({ width = 340, height = 250, xs, ys, xname, yname, scale = (p) => p }) {
  const [left, right, top, bottom] = [40, width - 14, 28, height - 40];
  const along = (p, ticks, from, to) =>
    from + ((to - from) * (scale(p) - scale(ticks[0]))) / (scale(ticks.at(-1)) - scale(ticks[0]));
  const x = (p) => along(p, xs, left, right);
  const y = (q) => bottom - ((bottom - top) * (q - ys[0])) / (ys.at(-1) - ys[0]);
  const parts = [label(left, top - 10, "start", yname, "title"), label((left + right) / 2, bottom + 32, "middle", xname, "title")];
  for (const tick of xs) {
    parts.push(line("grid", x(tick), top, x(tick), bottom), label(x(tick), bottom + 15, "middle", short(tick)));
  }
  for (const tick of ys) {
    parts.push(line("grid", left, y(tick), right, y(tick)), label(left - 6, y(tick) + 4, "end", short(tick)));
  }
  return { width, height, left, right, top, bottom, x, y, parts };
}

/** A tick without the digits that only rounding makes, and with a minus of full length. */
const short = (tick) => String(Number(tick.toPrecision(3))).replace("-", "\u2212");

/** A line through points. */
export const path = (kind, points) =>
  element("polyline", { class: `klcal-play-${kind}`, points: points.map(([x, y]) => `${place(x)},${place(y)}`).join(" ") });

/** `count` + 1 numbers from `from` to `to`. */
export const spaced = (from, to, count) => Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);

/** A round number of at least `value`, for the end of an axis. */
export function roundedUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= value) * unit;
}
