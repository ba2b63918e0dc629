// Statements and chapters before names of the package, which come last; what matches alike in the order of the book.
const placeInBook = (page) => {
  const pages = [...document.querySelectorAll(".bd-docs-nav a")].map((link) => link.getAttribute("href").split("#")[0]);
  const place = pages.indexOf(`${page}.html`);
  return (place < 0 ? pages.length : place) / 1000;
};
var Scorer = {
  score: ([page, , , , score]) => score - placeInBook(page),
  objNameMatch: 2, objPartialMatch: 1, objPrio: { 0: 1, 1: 0, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

// Sphinx looks for whole titles; here a word of a title will do, of a box or of a section. The best result is the last.
const performSearch = Search._performSearch;
Search._performSearch = (query, ...terms) => {
  const { docnames, filenames, titles, alltitles } = Search._index;
  const word = new RegExp(`(?<!\\w)${RegExp.escape?.(query) ?? query.replace(/\W/g, "\\$&")}(?!\\w)`, "i");
  const found = [];
  for (const [title, places] of Object.entries(alltitles)) {
    if (!word.test(title)) continue;
    for (const [file, id] of places) {
      if (/chapters\/api|_modules/.test(docnames[file])) continue;
      const score = 100 * (title.search(word) === 0) + (50 * query.length) / title.length - placeInBook(docnames[file]);
      const shown = titles[file] === title ? title : `${title} \u00b7 ${titles[file]}`;
      found.push([docnames[file], shown, id ? `#${id}` : "", null, score, filenames[file]]);
    }
  }
  const isNew = ([page, , anchor]) => !found.some(([other, , place]) => other === page && place === anchor);
  found.sort((one, other) => one[4] - other[4]);
  return [...performSearch(query, ...terms).filter(isNew), ...found];
};

// A page from disk may not read others for excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
// Excerpts are words: of a formula what it says in one line, and no previews, which are copies.
Search.htmlToText = (page, anchor) => {
  const book = new DOMParser().parseFromString(page, "text/html");
  book.querySelectorAll("script, style, .headerlink, .klcal-tip").forEach((part) => part.remove());
  const signs = { "msup > :last-child": "^", "mfrac > :last-child": "/", msqrt: "\u221a" };
  for (const [part, sign] of Object.entries(signs)) book.querySelectorAll(part).forEach((found) => found.prepend(sign));
  return (book.getElementById(anchor.slice(1)) ?? book.querySelector("article")).textContent;
};
