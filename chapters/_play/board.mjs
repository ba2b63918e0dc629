// The board: buttons and keys on one side, a game on the other.

import { cellsPicture, mixtureInWords, pathPicture, stripPicture } from "./drawing.mjs";
import { DELTA, Game } from "./game.mjs";
import { NATURES } from "./nature.mjs";
import { shown } from "./svg.mjs";
import { treePicture } from "./tree_drawing.mjs";

const PLAYERS = {
  paper: { name: "Algorithm 1", bound: "pklcalBound" },
  pair: { name: "PAIR", bound: "klcalBound" },
  tree: { name: "the tree", bound: "klcalBound" },
};

function start(board) {
  const find = (selector, inside = board) => inside.querySelector(selector);
  const setting = (name) => find(`[data-set="${name}"]`);
  const show = (name, inside = board) => find(`[data-show="${name}"]`, inside);
  let game = null;
  let timer = null;

  function newGame() {
    stop();
    const seed = Math.trunc(Number(setting("seed").value));
    setting("seed").value = String(Math.min(Math.max(seed, 0) || 0, 999999999));
    game = new Game({ horizon: Number(setting("horizon").value), seed: Number(setting("seed").value) });
    board.game = game; // for the curious at the console, and for the tests
    draw();
  }

  function draw() {
    for (const [key, { name, bound }] of Object.entries(PLAYERS)) {
      const panel = find(`[data-player="${key}"]`);
      const player = game.players[key];
      show("cells", panel).innerHTML = cellsPicture(player, name);
      show("path", panel).innerHTML = pathPicture(game.history[key], bound, name);
      const now = game.history[key].at(-1);
      for (const measure of ["pklcal", "klcal", "pklcalBound", "klcalBound"]) {
        show(measure, panel).textContent = now ? shown(now[measure]) : "";
      }
    }
    show("tree").innerHTML = treePicture(game.players.tree);
    show("size").textContent = `grid size K = ${game.K}`;
    show("strip").innerHTML = stripPicture(game.outcomes);
    show("strip").setAttribute(
      "aria-label",
      game.rounds ? `The last outcomes: ${game.outcomes.slice(-20).join(" ")}` : "No outcomes yet",
    );
    show("python").textContent = game.inPython();
    // A reader who listens is told single rounds, not a game that runs.
    if (timer === null) show("status").textContent = status();
    for (const button of board.querySelectorAll("[data-outcome], [data-do='step'], [data-do='run']")) {
      button.disabled = game.isOver;
    }
    find("[data-do='undo']").disabled = game.rounds === 0;
    find("[data-do='run']").textContent = timer === null ? "Run" : "Pause";
  }

  function status() {
    const coming = Object.entries(PLAYERS)
      .map(([key, { name }]) => `${name} says ${mixtureInWords(game.players[key])}`)
      .join("; ");
    if (game.rounds === 0) return `Round 1 of ${game.horizon}. ${coming}. You choose the outcome.`;
    const last = game.rounds - 1;
    const drawn = Object.entries(PLAYERS)
      .map(([key, { name }]) => `${name} had drawn ${game.draws[key][last].toFixed(3)}`)
      .join(", ");
    const past = `Round ${game.rounds} ended with ${game.outcomes[last]}; ${drawn}.`;
    return game.isOver ? `${past} The horizon is reached.` : `${past} Next, ${coming}.`;
  }

  function step() {
    game.play(game.choice(setting("nature").value, setting("against").value));
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
  }

  function run() {
    const speed = Number(setting("speed").value);
    for (let n = 0; n < speed && !game.isOver; n++) step();
    timer = setTimeout(run, speed === 1 ? 250 : 50);
    if (game.isOver) stop();
    draw();
  }

  function byHand(outcome) {
    stop();
    game.play(outcome);
    draw();
  }

  const actions = {
    restart: newGame,
    undo: () => {
      stop();
      game.undo();
      draw();
    },
    step: () => {
      stop();
      step();
      draw();
    },
    run: () => {
      if (timer === null) return run();
      stop();
      return draw();
    },
    copy: async () => {
      const button = find("[data-do='copy']");
      try {
        await navigator.clipboard.writeText(game.inPython());
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(show("python"));
        button.textContent = "Selected: copy it with the keyboard";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    },
  };

  board.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.outcome) byHand(Number(button.dataset.outcome));
    else if (button?.dataset.do) actions[button.dataset.do]();
  });
  for (const name of ["horizon", "seed"]) setting(name).addEventListener("change", newGame);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, [contenteditable], dialog");
    if (!setting("keys").checked || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "0" || event.key === "1") byHand(Number(event.key));
    else if (event.key === "u" && game.rounds > 0) actions.undo();
  });

  show("note").textContent =
    "Blue rings are expected cells, golden discs realised ones; the larger, the more rounds. " +
    "Dashed: the bound of the measure that the forecaster is made for. Theorem 2 bounds PKLCal of Algorithm 1 always. " +
    `Bounds on KLCal hold in all rounds of a game at once, with probability ${1 - DELTA}; that of the tree is computed from its own counts.`;
  for (const name of Object.keys(NATURES)) setting("nature").append(new Option(name, name));
  setting("nature").value = "oppose";
  for (const part of board.querySelectorAll("[data-part='measures']")) {
    part.replaceWith(find("template").content.cloneNode(true));
  }
  for (const part of board.querySelectorAll("[hidden]")) part.hidden = false;
  newGame();
}

document.querySelectorAll(".klcal-play").forEach(start);
