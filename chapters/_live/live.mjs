// A live figure: controls, a picture and a sentence. What is drawn is a function of the state and of the controls, so
// that the tests can ask for the numbers of a figure without a browser.
//
// A figure has `controls`, `draw(state, values)`, which gives the picture and the sentence, and `numbers(state, values)`;
// where it goes on step by step also `begin(values)` and `act`, a table of functions (state, values, set) -> state, where
// `set(name, value)` moves a range or a tab. Where a picture can be taken hold of, `hint` says so: a `grip` is dragged and
// moves its range, and what has `data-press` is pressed, which sets a range and does what a button does. A range whose
// `step` is "any" says with `beside(value, by)` where an arrow key goes: browsers do not agree on that.

const BETWEEN_PICTURES = 120; // milliseconds between two pictures of a figure that runs
const BETWEEN_SENTENCES = 250; // and between two of its sentences
const WITHOUT_MOTION = 100; // steps between two pictures for who does not want to see things move

/** A control as HTML. Its kind is the first of its keys: range, choose, tabs, check, button or run. */
function control({ range, choose, tabs, check, button, run, name, options, say = String, beside, ...attributes }) {
  const more = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`).join("");
  if (range) return `<label>${name} <input type="range" data-set="${range}"${more}> <span class="klcal-live-value">${say(attributes.value)}</span></label>`;
  if (choose) {
    const listed = options.map((option) => `<option>${option}</option>`).join("");
    return `<label>${name} <select data-set="${choose}"${more}>${listed}</select></label>`;
  }
  if (tabs) {
    const tab = (option, i) =>
      `<label><input type="radio" name="${tabs}" data-set="${tabs}" value="${option}"${more}${i ? "" : " checked"}><span>${option}</span></label>`;
    return `<fieldset class="klcal-live-tabs"><legend>${name}</legend>${options.map(tab).join("")}</fieldset>`;
  }
  if (check) return `<label><input type="checkbox" data-set="${check}"${more}> ${name}</label>`;
  return `<button type="button" data-${run ? "run" : "do"}="${run ?? button}"${more}>${name}</button>`;
}

/** All controls as HTML; a page has them from the beginning, so that nothing moves when the figure wakes up. */
export function controlPanel({ controls, hint = "" }) {
  return controls.map(control).join("") + (hint && `<span class="klcal-live-hint">${hint}</span>`);
}

/** What the controls say at first. */
export function firstValues({ controls }) {
  const first = ({ range, choose, tabs, check, value, options }) => [
    range ?? choose ?? tabs ?? check,
    range ? Number(value) : check ? false : options?.[0],
  ];
  return Object.fromEntries(controls.map(first).filter(([name]) => name));
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

function start(root, figure) {
  const { controls, begin = () => null, act = {}, draw, numbers } = figure;
  const panel = root.querySelector(".klcal-live-controls");
  const show = (part) => root.querySelector(`[data-show="${part}"]`);
  panel.innerHTML = controlPanel(figure);
  const inputs = [...panel.querySelectorAll("[data-set]")];
  const isOn = ({ type, checked }) => type !== "radio" || checked;
  const worth = { range: ({ value }) => Number(value), checkbox: ({ checked }) => checked };
  const read = (input) => [input.dataset.set, worth[input.type]?.(input) ?? input.value];
  const values = () => Object.fromEntries(inputs.filter(isOn).map(read));
  const rangeOf = (name) => inputs.find(({ dataset }) => dataset.set === name);
  const runner = panel.querySelector("[data-run]");
  let state = begin(values());
  let timer = null;
  let spoken = 0; // when the sentence was last changed

  function set(name, value) {
    for (const input of inputs.filter(({ dataset }) => dataset.set === name)) {
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
    }
  }

  function redraw() {
    const { picture, words } = draw(state, values());
    show("picture").innerHTML = picture;
    // A reader who listens is told single steps, not a figure that runs; who reads gets no more than can be read.
    show("words").setAttribute("aria-live", timer === null ? "polite" : "off");
    if (timer === null || performance.now() - spoken >= BETWEEN_SENTENCES) {
      show("words").textContent = words;
      spoken = performance.now();
    }
    for (const { range, say = String } of controls) {
      if (!range) continue;
      const input = rangeOf(range);
      const said = say(Number(input.value), state, values());
      input.parentElement.querySelector(".klcal-live-value").textContent = said;
      input.setAttribute("aria-valuetext", said);
    }
    root.numbers = numbers(state, values()); // for the curious at the console, and for the tests
    if (runner) runner.textContent = timer === null ? controls.find(({ run }) => run).name : "Pause";
  }

  /** Do something, and tell whether there is more to do. */
  function perform(action) {
    const next = act[action](state, values(), set);
    if (next === null) stop();
    else state = next;
    return next !== null;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  function run(action) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      for (let step = 0; step < WITHOUT_MOTION && perform(action); step++);
    } else if (perform(action)) {
      timer = setInterval(() => {
        perform(action);
        redraw();
      }, BETWEEN_PICTURES);
    }
  }

  panel.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const { beside } = controls.find(({ range }) => range && range === event.target.dataset.set) ?? {};
    if (!by || !beside) return;
    event.preventDefault();
    event.target.value = beside(Number(event.target.value), by);
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  });
  panel.addEventListener("input", ({ target }) => {
    if (target.dataset.restart !== undefined) state = begin(values());
    if (target.dataset.stop !== undefined) stop();
    redraw();
  });
  panel.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const wasRunning = timer !== null;
    stop();
    if (button.dataset.do) perform(button.dataset.do);
    else if (!wasRunning) run(button.dataset.run);
    redraw();
  });
  draggable(show("picture"), rangeOf);
  show("picture").addEventListener("click", ({ target }) => {
    const part = target.closest("[data-press]");
    if (!part) return;
    set(part.dataset.set, part.dataset.to);
    panel.querySelector(`[data-do="${part.dataset.press}"]`).click();
  });
  panel.hidden = false;
  root.classList.add("klcal-awake");
  redraw();
}
