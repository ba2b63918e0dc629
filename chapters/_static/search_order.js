// Pages that match alike come in the order of the book, which the list at the side has.
var Scorer = {
  score: ([page, , , , score]) => {
    const pages = [...document.querySelectorAll(".bd-docs-nav a")].map((link) => link.getAttribute("href").split("#")[0]);
    const place = pages.indexOf(`${page}.html`);
    return score - (place < 0 ? pages.length : place) / 1000;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

// Excerpts are words: of a formula its form without TeX, and no previews, which are copies.
Search.htmlToText = (page, anchor) => {
  const book = new DOMParser().parseFromString(page, "text/html");
  book.querySelectorAll("script, style, .headerlink, .math, .klcal-later, .klcal-tip").forEach((part) => part.remove());
  const signs = { "msup > :last-child": "^", "mfrac > :last-child": "/", msqrt: "\u221a" };
  for (const [part, sign] of Object.entries(signs)) book.querySelectorAll(part).forEach((found) => found.prepend(sign));
  return (book.getElementById(anchor.slice(1)) ?? book.querySelector("article")).textContent;
};
