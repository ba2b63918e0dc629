/* The dependency graph and the catalogue of the claims page. A plain script: it also runs from disk. */
(function () {
  "use strict";

  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  // The id of an entry on the page: "claim-" and the label, other characters as dashes.
  const anchor = (label) => "claim-" + label.replace(/[^A-Za-z0-9_-]/g, "-");

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // --- the panel: what is known about the statement that was chosen -----------------------------------------

  const panel = make("aside", { className: "klcal-panel", hidden: true, tabIndex: -1 });
  panel.setAttribute("role", "dialog");
  let opener = null;

  function closePanel() {
    if (panel.hidden) return;
    panel.hidden = true;
    if (opener) opener.focus({ preventScroll: true });
  }

  function openPanel(node, buttons) {
    const rows = node.dataset.labels.split(" ").map((label) => document.getElementById(anchor(label)));
    const entries = rows.filter(Boolean).map((row) => row.querySelector("details").cloneNode(true));
    if (!entries.length) return false;
    entries.forEach((entry, index) => (entry.open = index === 0));
    const close = make("button", { type: "button", textContent: "Close", onclick: closePanel });
    panel.replaceChildren(make("div", { className: "klcal-panel-bar" }, ...buttons, close), ...entries);
    panel.setAttribute("aria-label", node.getAttribute("aria-label"));
    panel.hidden = false;
    panel.scrollTop = 0;
    opener = node;
    panel.focus({ preventScroll: true });
    return true;
  }

  // --- the graph ----------------------------------------------------------------------------------------

  function wake(graph) {
    const nodes = [...graph.querySelectorAll("a[data-node]")];
    const edges = [...graph.querySelectorAll("path[data-edge]")].map((path) => [path, ...numbers(path.dataset.edge)]);

    function light(node) {
      const own = Number(node.dataset.node);
      const below = new Set([own, ...numbers(node.dataset.below)]);
      const above = new Set([own, ...numbers(node.dataset.above)]);
      graph.classList.add("klcal-lit");
      for (const each of nodes) {
        const number = Number(each.dataset.node);
        each.classList.toggle("klcal-self", number === own);
        each.classList.toggle("klcal-up", number !== own && below.has(number));
        each.classList.toggle("klcal-down", number !== own && above.has(number));
      }
      for (const [path, used, user] of edges) {
        path.classList.toggle("klcal-up", below.has(used) && below.has(user));
        path.classList.toggle("klcal-down", above.has(used) && above.has(user));
      }
      return new Set([...below, ...above]);
    }

    let kept = null;
    const all = make("button", { type: "button", textContent: "Show all", hidden: true });
    const told = make("span", { className: "klcal-hint" });
    told.setAttribute("aria-live", "polite");
    const hint = () => {
      told.replaceChildren(
        "Point at a statement: ", make("span", { className: "klcal-up-key", textContent: "what it builds on" }),
        ", ", make("span", { className: "klcal-down-key", textContent: "what builds on it" }),
        ". Click, or press Enter, for its evidence.");
    };

    function dark() {
      if (kept !== null) return light(nodes[kept]);
      graph.classList.remove("klcal-lit");
      for (const each of graph.querySelectorAll(".klcal-self, .klcal-up, .klcal-down")) {
        each.classList.remove("klcal-self", "klcal-up", "klcal-down");
      }
    }

    // The part of the drawing that holds some nodes, enlarged to the frame; all of it without an argument.
    const svg = graph.querySelector("svg");
    const whole = svg.getAttribute("viewBox");
    function crop(some) {
      svg.style.aspectRatio = ""; // else the drawing would keep its height, and the part stand far below
      graph.querySelector(".klcal-graph-view").scrollTo(0, 0); // the part stands at the top of the frame
      if (!some || !some.length) return svg.setAttribute("viewBox", whole);
      const boxes = some.map((each) => each.getBBox());
      const left = Math.min(...boxes.map((b) => b.x)), top = Math.min(...boxes.map((b) => b.y));
      const right = Math.max(...boxes.map((b) => b.x + b.width)), low = Math.max(...boxes.map((b) => b.y + b.height));
      const width = Math.max(right - left, 420);
      svg.setAttribute("viewBox", `${left - 20} ${top - 24} ${width + 40} ${low - top + 48}`);
      svg.style.aspectRatio = `${width + 40} / ${low - top + 48}`;
    }

    function keepOnly(node) {
      kept = node === null ? null : nodes.indexOf(node);
      graph.classList.toggle("klcal-only", node !== null);
      all.hidden = node === null;
      chapter.value = "";
      dark();
      crop(null);
      if (node === null) return hint();
      const rest = light(node);
      nodes.forEach((each) => each.classList.toggle("klcal-kept", rest.has(Number(each.dataset.node))));
      edges.forEach(([path]) => path.classList.toggle("klcal-kept", path.matches(".klcal-up, .klcal-down")));
      crop(nodes.filter((each) => each.matches(".klcal-kept")));
      told.textContent = `Only ${node.querySelector("text").textContent} and the ${rest.size - 1} statements connected with it.`;
    }

    const home = (node) => make("button", {
      type: "button",
      textContent: kept === nodes.indexOf(node) ? "Show all statements" : "Show only its sub-graph",
      onclick: () => { keepOnly(kept === nodes.indexOf(node) ? null : node); closePanel(); },
    });

    for (const node of nodes) {
      node.addEventListener("mouseenter", () => light(node));
      node.addEventListener("mouseleave", dark);
      node.addEventListener("focus", () => light(node));
      node.addEventListener("blur", dark);
      node.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (openPanel(node, [home(node)])) event.preventDefault();
      });
    }
    // --- one chapter, a search, the whole screen ---
    const page = (link) => link.getAttribute("href").split("#")[0];
    const chapter = make("select", {}, make("option", { value: "", textContent: "every chapter" }));
    chapter.setAttribute("aria-label", "Chapter of the graph");
    for (const column of graph.querySelectorAll(".klcal-column")) {
      chapter.append(make("option", { value: page(column), textContent: column.textContent }));
    }
    chapter.addEventListener("change", () => {
      const wanted = chapter.value;
      keepOnly(null);
      chapter.value = wanted;
      if (!wanted) return;
      const here = nodes.filter((each) => page(each) === wanted);
      const own = new Set(here.map((each) => Number(each.dataset.node)));
      nodes.forEach((each) => each.classList.toggle("klcal-kept", own.has(Number(each.dataset.node))));
      edges.forEach(([path, used, user]) => path.classList.toggle("klcal-kept", own.has(used) && own.has(user)));
      graph.classList.add("klcal-only");
      all.hidden = false;
      crop(here);
      told.textContent = here.length === 1
        ? "The one statement of this chapter, all others being parts of it."
        : `The ${here.length} statements of this chapter, and how they build on each other.`;
    });
    const search = make("input", { type: "search", placeholder: "Find in the graph" });
    search.setAttribute("aria-label", "Find in the graph");
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const each of nodes) {
        const text = `${each.getAttribute("aria-label")} ${each.dataset.labels}`.toLowerCase();
        const fits = words.length > 0 && words.every((word) => text.includes(word));
        each.classList.toggle("klcal-found", fits);
        found += fits ? 1 : 0;
        if (fits && found === 1) each.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
      graph.classList.toggle("klcal-searched", words.length > 0);
      if (words.length) told.textContent = `${found} of ${nodes.length} statements`;
      else hint();
    });
    const full = make("button", { type: "button", textContent: "Full screen", hidden: !graph.requestFullscreen });
    full.addEventListener("click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else graph.requestFullscreen();
    });
    document.addEventListener("fullscreenchange", () => {
      full.textContent = document.fullscreenElement === graph ? "Leave full screen" : "Full screen";
      (document.fullscreenElement === graph ? graph : document.body).append(panel);
    });
    all.addEventListener("click", () => keepOnly(null));
    hint();
    const tools = nodes.length > 30 ? [search, ...(chapter.length > 1 ? [chapter] : []), full] : [];
    graph.prepend(make("div", { className: "klcal-graph-tools" }, ...tools, told, all));
    // An address that names a chapter of the graph shows that chapter alone; the pages of the chapters link so.
    function openChapter() {
      const column = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!column || !column.matches(".klcal-column") || !graph.contains(column)) return;
      chapter.value = page(column);
      chapter.dispatchEvent(new Event("change"));
      graph.scrollIntoView({ block: "start" });
    }
    window.addEventListener("hashchange", openChapter);
    window.addEventListener("load", openChapter);
    openChapter();
  }

  // --- the catalogue --------------------------------------------------------------------------------------

  function searchable(catalogue) {
    const form = catalogue.querySelector(".klcal-filters");
    const rows = [...catalogue.querySelectorAll("tbody tr")];
    const words = rows.map((row) => row.textContent.toLowerCase());
    const input = form.querySelector("input");
    const choices = [...form.querySelectorAll("select")];
    function apply() {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, index) => {
        const fits = choices.every((each) => !each.value || row.dataset[each.dataset.filter] === each.value);
        row.hidden = !(fits && wanted.every((word) => words[index].includes(word)));
        shown += row.hidden ? 0 : 1;
      });
      form.querySelector("output").textContent = `${shown} of ${rows.length} entries`;
    }
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
    return () => { form.reset(); apply(); };
  }

  // --- start ----------------------------------------------------------------------------------------------

  function start() {
    document.querySelectorAll(".klcal-graph").forEach(wake);
    const resets = [...document.querySelectorAll(".klcal-catalogue")].map(searchable);
    document.body.append(panel);
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") closePanel(); });
    // An address that names an entry opens it, also when a filter hides it or a link on the page leads there.
    function openTarget() {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target || !target.matches(".klcal-entries tr")) return;
      if (target.hidden) resets.forEach((reset) => reset());
      target.querySelector("details").open = true;
      if (!panel.hidden) { opener = null; closePanel(); }
      target.scrollIntoView({ block: "center" });
    }
    window.addEventListener("hashchange", openTarget);
    openTarget();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
