// A live figure: controls, a picture and a sentence. What is drawn is a function of the state and of the controls, so
// that the tests can ask for the numbers of a figure without a browser.
//
// A figure has `controls`, `draw(state, values)`, which gives the picture and the sentence, and `numbers(state, values)`;
// where it goes on step by step also `begin(values)` and `act`, a table of functions (state, values) -> state.

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

function start(root, { controls, begin = () => null, act = {}, draw, numbers }) {
  const panel = root.querySelector(".klcal-live-controls");
  const show = (part) => root.querySelector(`[data-show="${part}"]`);
  panel.innerHTML = controls.map(control).join("");
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
    if (timer === null) show("words").textContent = words;
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
  panel.hidden = false;
  redraw();
}
