// Pieces of pictures as text of SVG, and numbers as text; colours are the business of the style sheet.

/** A number for a picture: short, and never in exponential form. */
export const place = (x) => Number(x.toFixed(2)).toString();

/** A number for a reader: three digits, more where they are whole. */
export function shown(value) {
  if (value === null) return "none";
  if (value >= 100) return value.toFixed(1);
  return value >= 0.001 || value === 0 ? value.toFixed(3) : value.toExponential(1);
}

export const element = (tag, attributes, content = "") =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${typeof value === "number" ? place(value) : value}"`)
    .join(" ")}>${content}</${tag}>`;

export const line = (kind, x1, y1, x2, y2) => element("line", { class: `klcal-play-${kind}`, x1, y1, x2, y2 });
export const label = (x, y, anchor, content, kind = "label") =>
  element("text", { class: `klcal-play-${kind}`, x, y, "text-anchor": anchor }, content);

export function picture(width, height, description, content) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">${content.join("")}</svg>`;
}
