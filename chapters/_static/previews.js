/* What is typeset only when it is looked at, previews and folded parts, of which a page may have hundreds; and paper. */
(function () {
  "use strict";

  // A formula that is wider than its line breaks before relations and signs, on a phone between brackets too.
  const [BIN, REL, OPEN, CLOSE] = [2, 3, 4, 5];
  function breaks({ math, data }) {
    const row = data.querySelector("mjx-math"), parts = math.root.childNodes[0].childNodes;
    if (math.display || parts.length < 9 || row.children.length !== parts.length) return;
    let depth = 0, before;
    [...row.children].forEach((part, at) => {
      const kind = parts[at].texClass, isTight = kind === OPEN && before === CLOSE;
      if (at > 1 && depth === 0 && (kind === REL || kind === BIN || isTight)) {
        const place = document.createElement("wbr");
        place.classList.toggle("klcal-tight", isTight);
        part.before(place);
      }
      depth += (kind === OPEN) - (kind === CLOSE);
      before = kind;
    });
  }

  // Before MathJax starts: what is folded waits. Without this script it is typeset with the rest.
  document.addEventListener("readystatechange", () => {
    if (!window.MathJax || !MathJax.options) return;
    MathJax.options.skipHtmlTags = { "[+]": ["details"] };
    MathJax.startup = { ready() { MathJax.startup.defaultReady(); MathJax.startup.output.postFilters.add(breaks); } };
  }, { once: true });

  // The formulas of a preview, or of a folded part without those of parts folded inside it.
  function waiting(part) {
    const later = [...part.querySelectorAll(part.matches("details") ? ".math" : ".klcal-later")];
    const found = later.filter((each) => !each.querySelector("mjx-container") && each.closest("details") === part.closest("details"));
    for (const each of found) each.classList.replace("klcal-later", "math");
    return found;
  }

  // MathJax sets what comes into sight when the browser is idle, which on a busy machine may be never, and forgets
  // what comes into sight while it waits for a font. Here it takes its turn soon, and again if something is left.
  function soon() {
    const page = MathJax.startup.document;
    page.lazyProcessSet = () => setTimeout(async () => {
      page.lazyHandleSet();
      await page.lazyPromise;
      if (page.lazySet.size) page.lazyProcessSet();
    }, 10);
    page.lazyProcessSet();
  }

  let queue = [];
  const started = new Promise((done) => window.addEventListener("load", done))
    .then(() => window.MathJax && MathJax.startup.promise.then(soon));
  async function typeset(part) {
    if (!window.MathJax) return;
    queue.push(...waiting(part));
    await started;
    await new Promise((done) => setTimeout(done)); // several parts may be unfolded at once
    const page = MathJax.startup.document; // called while it waits for a font, it loses its way: our turn is in its queue
    page.lazyPromise = page.lazyPromise.then(() => queue.length && MathJax.typesetPromise(queue.splice(0)));
  }

  document.addEventListener("toggle", ({ target }) => { if (target.matches("details[open]")) typeset(target); }, true);
  const linkOf = (part) => part?.closest?.("a:has(> .klcal-tip)");

  // Below its line, or above where there is more room; never beyond the window.
  function place(tip) {
    tip.style.marginTop = tip.style.maxHeight = "";
    const box = tip.getBoundingClientRect(), line = [...linkOf(tip).getClientRects()].at(-1);
    const header = document.querySelector(".bd-header-article")?.getBoundingClientRect().bottom ?? 0;
    const above = line.top - Math.max(0, header), below = innerHeight - box.top, isAbove = box.height > below && above > below;
    const height = Math.min(box.height, isAbove ? above : below);
    if (height < box.height) tip.style.maxHeight = `${height}px`;
    if (isAbove) tip.style.marginTop = `${parseFloat(getComputedStyle(tip).marginTop) - (box.top + height - line.top)}px`;
  }

  // It grows when it is shown and when its formulas are set.
  const growing = new ResizeObserver((all) => all.forEach(({ target }) => target.checkVisibility() && place(target)));

  function preview({ target }) {
    const tip = linkOf(target)?.querySelector(":scope > .klcal-tip");
    if (!tip) return;
    growing.observe(tip);
    if (tip.querySelector(".klcal-later")) typeset(tip);
  }
  function leave({ target, relatedTarget }) {
    const link = linkOf(target);
    if (link !== linkOf(relatedTarget)) link?.classList.remove("klcal-closed");
  }
  for (const name of ["mouseover", "focusin"]) document.addEventListener(name, preview, { passive: true });
  for (const name of ["mouseout", "focusout"]) document.addEventListener(name, leave, { passive: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const link of document.querySelectorAll("a:is(:hover, :focus):has(> .klcal-tip)")) link.classList.add("klcal-closed");
  });
  document.documentElement.classList.add("klcal-scripts");

  // On paper nothing is folded.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not([open])")];
    for (const each of opened) each.open = true;
    if (window.MathJax && MathJax.typeset) MathJax.typeset(opened.flatMap(waiting));
  });
  window.addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
    opened = [];
  });
})();
