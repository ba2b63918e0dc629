// A live figure: controls, a picture and a sentence. What is drawn is a function of the state and of the controls, so
// that the tests can ask for the numbers of a figure without a browser.
//
// A figure has `controls`, `draw(state, values)`, which gives the picture and the sentence, and `numbers(state, values)`;
// where it goes on step by step also `begin(values)` and `act`, a table of functions (state, values) -> state. Where a
// picture can be taken hold of, `hint` says so: a `grip` is dragged and moves its range, and what has `data-press` is
// pressed, which sets a range and does what a button does.

/** A control as HTML. Its kind is the first of its keys: range, choose, button or run. */
function control({ range, choose, button, run, name, options, ...attributes }) {
  const more = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`).join("");
  if (range) return `<label>${name} <input type="range" data-set="${range}"${more}> <output></output></label>`;
  if (choose) {
    const listed = options.map((option) => `<option>${option}</option>`).join("");
    return `<label>${name} <select data-set="${choose}"${more}>${listed}</select></label>`;
  }
  return `<button type="button" data-${run ? "run" : "do"}="${run ?? button}"${more}>${name}</button>`;
}

/** What the controls say at first. */
export function firstValues({ controls }) {
  const first = ({ range, choose, value, options }) => [range ?? choose, range ? Number(value) : options?.[0]];
  return Object.fromEntries(controls.filter(({ range, choose }) => range ?? choose).map(first));
}

/** Bring all figures of this name on the page to life; outside a browser there is nothing to do. */
export function bring(name, figure) {
  if (typeof document === "undefined") return;
  document.querySelectorAll(`[data-live="${name}"]`).forEach((root) => start(root, figure));
}

/** Let grips in the pictures move their ranges, which all else follows. */
function draggable(pictures, rangeOf) {
  // A finger on a grip does not scroll; inside a drawing `touch-action` has no effect.
  const hold = (touch) => touch.target.closest("[data-drag]") && touch.preventDefault();
  pictures.addEventListener("touchstart", hold, { passive: false });
  pictures.addEventListener("pointerdown", (down) => {
    const grip = down.target.closest("[data-drag]");
    if (!grip || down.button !== 0) return;
    const range = rangeOf(grip.dataset.drag);
    // Every move draws the picture anew, so its place on the page is asked for once, and its frame gets the moves.
    const { a: scale, e: left } = grip.ownerSVGElement.getScreenCTM();
    const [zero, one] = [Number(grip.dataset.zero), Number(grip.dataset.one)];
    const value = ({ clientX }) => ((clientX - left) / scale - zero) / (one - zero);
    const offset = Number(range.value) - value(down);
    const move = (moved) => {
      if (moved.pointerId !== down.pointerId) return;
      range.value = value(moved) + offset;
      range.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const end = () => {
      pictures.removeEventListener("pointermove", move);
      pictures.classList.remove("klcal-live-dragging");
    };
    down.preventDefault(); // no text is selected meanwhile
    pictures.setPointerCapture(down.pointerId);
    pictures.classList.add("klcal-live-dragging");
    pictures.addEventListener("pointermove", move);
    pictures.addEventListener("lostpointercapture", end, { once: true });
  });
}

function start(root, { controls, hint = "", begin = () => null, act = {}, draw, numbers }) {
  const panel = root.querySelector(".klcal-live-controls");
  const show = (part) => root.querySelector(`[data-show="${part}"]`);
  panel.innerHTML = controls.map(control).join("") + (hint && `<span class="klcal-live-hint">${hint}</span>`);
  const inputs = [...panel.querySelectorAll("[data-set]")];
  const read = (input) => [input.dataset.set, input.type === "range" ? Number(input.value) : input.value];
  const values = () => Object.fromEntries(inputs.map(read));
  let state = begin(values());
  let timer = null;
  const runner = panel.querySelector("[data-run]");

  function redraw() {
    const { picture, words } = draw(state, values());
    show("picture").innerHTML = picture;
    // A reader who listens is told single steps, not a figure that runs.
    show("words").setAttribute("aria-live", timer === null ? "polite" : "off");
    show("words").textContent = words;
    for (const input of inputs) {
      const output = input.parentElement.querySelector("output");
      if (output) output.textContent = input.value;
    }
    root.numbers = numbers(state, values()); // for the curious at the console, and for the tests
    if (runner) runner.textContent = timer === null ? controls.find(({ run }) => run).name : "Pause";
  }

  function perform(action) {
    const next = act[action](state, values());
    if (next === null) return stop(); // there is nothing left to do
    state = next;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  panel.addEventListener("input", ({ target }) => {
    if (target.dataset.restart !== undefined) state = begin(values());
    redraw();
  });
  panel.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const running = timer !== null;
    stop();
    if (button.dataset.do) perform(button.dataset.do);
    else if (!running) {
      perform(button.dataset.run);
      timer = setInterval(() => {
        perform(button.dataset.run);
        redraw();
      }, 120);
    }
    redraw();
  });
  const rangeOf = (name) => inputs.find(({ dataset }) => dataset.set === name);
  draggable(show("picture"), rangeOf);
  show("picture").addEventListener("click", ({ target }) => {
    const part = target.closest("[data-press]");
    if (!part) return;
    rangeOf(part.dataset.set).value = part.dataset.to;
    panel.querySelector(`[data-do="${part.dataset.press}"]`).click();
  });
  panel.hidden = false;
  root.classList.add("klcal-awake");
  redraw();
}
