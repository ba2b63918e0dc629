// The board: keys and settings on one side, a game on the other.

import { TRIES, pictures, sentences, setUp } from "./duel.mjs";
import { Game } from "./game.mjs";
import { NATURES } from "./nature.mjs";

const TICK = 100; // milliseconds; a game that runs lasts a hundred of them
const WORDS_EVERY = 250; // milliseconds between sentences while it runs

function start(board) {
  const find = (selector) => board.querySelector(selector);
  const setting = (name) => find(`[data-set="${name}"]`);
  const show = (name) => find(`[data-show="${name}"]`);
  let game = { horizon: 1000, seed: 0 };
  let timer = null;
  let told = 0; // when the sentences were last changed

  function draw() {
    board.game = game; // for the curious at the console, and for the tests
    const against = setting("against").value;
    const fill = (parts) => Object.entries(parts).forEach(([place, content]) => (show(place).innerHTML = content));
    fill(pictures(game));
    show("python").textContent = game.inPython();
    const framed = find(".klcal-play-against");
    for (const figure of board.querySelectorAll("figure")) figure.classList.toggle("klcal-play-against", figure.dataset.player === against);
    // On a phone one diagram is seen at a time: that of the opponent.
    const opponent = find(".klcal-play-against");
    if (framed && framed !== opponent) opponent.parentElement.scrollTo({ left: opponent.offsetLeft - opponent.parentElement.offsetLeft });
    // A reader who listens is told single rounds, not a game that runs.
    find(".klcal-play-words").setAttribute("aria-live", timer === null ? "polite" : "off");
    if (timer === null || Date.now() - told >= WORDS_EVERY) {
      fill(sentences(game, against));
      told = Date.now();
    }
    for (const button of board.querySelectorAll("[data-outcome], [data-do='run']")) button.disabled = game.isOver;
    find("[data-do='undo']").disabled = game.rounds === 0;
    find("[data-do='run']").textContent = timer === null ? `Let “${setting("nature").value}” play` : "Pause";
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  function newGame() {
    const seed = Math.min(Math.max(Math.trunc(Number(setting("seed").value)) || 0, 0), 999999999);
    setting("seed").value = String(seed);
    game = new Game({ horizon: Number(setting("horizon").value), seed });
    show("look").textContent = "";
  }

  const letPlay = (rounds) => game.run(setting("nature").value, setting("against").value, game.rounds + rounds);

  function tick() {
    letPlay(game.horizon / 100);
    if (game.isOver) stop();
    draw();
  }

  function run() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) letPlay(game.horizon / 10);
    else timer = setInterval(tick, TICK);
  }

  function tryOut(name) {
    const { nature, against, look } = TRIES[name];
    game = setUp(TRIES[name], game);
    setting("seed").value = String(game.seed);
    if (nature) [setting("nature").value, setting("against").value] = [nature, against];
    show("look").textContent = look;
  }

  const actions = { new: newGame, undo: () => game.undo(), run };

  function press(button) {
    const wasRunning = timer !== null;
    stop();
    if (button.outcome) game.play(Number(button.outcome));
    else if (button.try) tryOut(button.try);
    else if (!(wasRunning && button.do === "run")) actions[button.do]();
  }

  board.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    const figure = target.closest("figure");
    if (figure) setting("against").value = figure.dataset.player;
    if (button) press(button.dataset);
    if (button || figure) draw();
  });
  board.addEventListener("change", ({ target }) => {
    if (["horizon", "seed"].includes(target.dataset.set)) {
      stop();
      newGame();
    }
    draw();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable], dialog");
    if (!setting("keys").checked || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["0", "1", "u"].includes(event.key)) find(`[aria-keyshortcuts="${event.key}"]`).click();
  });

  for (const name of Object.keys(NATURES)) setting("nature").append(new Option(name, name));
  tryOut("oppose");
  draw();
}

document.querySelectorAll(".klcal-play").forEach(start);
