// What a reader would stumble over on the page that is open; every function returns a list of complaints.

globalThis.probe = (() => {
  /** A short description of an element that helps to find it. */
  function named(element) {
    const classes = [...(element.classList ?? [])].slice(0, 3).map((name) => `.${name}`);
    return element.tagName.toLowerCase() + (element.id ? `#${element.id}` : "") + classes.join("");
  }

  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getClientRects().length > 0 &&
    !element.closest(".sr-only, .visually-hidden");

  /** Open everything that is folded and load every picture, to look at them too, and let colours change at once. */
  function unfold() {
    const still = document.createElement("style");
    still.textContent = "*, ::before, ::after { transition: none !important; animation: none !important; }";
    document.head.append(still);
    document.querySelectorAll("details").forEach((part) => (part.open = true));
    document.querySelectorAll(".toggle-hidden").forEach((part) => part.classList.remove("toggle-hidden"));
    document.querySelectorAll("img").forEach((image) => (image.loading = "eager"));
  }

  /** Resolve when all fonts and pictures are there or known to be missing. */
  async function ready() {
    await document.fonts.ready;
    const coming = [...document.images].filter((image) => image.loading === "eager" && !image.complete);
    await Promise.all(coming.map((image) => new Promise((done) => (image.onload = image.onerror = done))));
  }

  /** TeX that a reader would see and fonts that did not come. */
  function formulas() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const raw = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const inText = !node.parentElement.closest("script, style, code, pre, textarea");
      if (inText && /\\\(|\\\[|\$\$|\\[a-z]+/.test(node.data)) raw.push(node.data.trim());
    }
    const fonts = [...document.fonts].filter((font) => font.status === "error").map((font) => font.family);
    const empty = [...document.querySelectorAll(".math")].filter((part) => !part.querySelector("math > *"));
    const parts = { mfrac: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3 };
    const broken = [...document.querySelectorAll(Object.keys(parts))].filter((one) => one.children.length !== parts[one.localName]);
    return [
      ...broken.map((part) => `${part.localName} with ${part.children.length} parts: ${part.closest("math").textContent}`),
      ...empty.map((part) => `empty formula: ${part.textContent.trim().slice(0, 60)}`),
      ...raw.map((text) => `formula left as text: ${text.slice(0, 60)}`),
      ...fonts.map((family) => `font not loaded: ${family}`),
    ];
  }

  function pictures() {
    const images = [...document.querySelectorAll("img")].filter((image) => !image.closest("[aria-hidden='true']"));
    const drawings = [...document.querySelectorAll("svg")].filter(
      (svg) => isShown(svg) && !svg.closest("[aria-hidden='true'], a, button"),
    );
    // Icons are letters of a font, and no script draws them.
    const icons = [...document.querySelectorAll("i[class*=fa-], span[class*=fa-]")];
    return [
      ...icons.filter((icon) => getComputedStyle(icon, "::before").content === "none").map((icon) => `no icon: ${named(icon)}`),
      ...images.filter((image) => !image.alt.trim()).map((image) => `no alt text: ${image.getAttribute("src")}`),
      ...images
        .filter((image) => image.complete && image.naturalWidth === 0)
        .map((image) => `picture is missing: ${image.getAttribute("src")}`),
      ...drawings
        .filter((svg) => !svg.getAttribute("aria-label") && !svg.getAttribute("aria-labelledby") && !svg.querySelector("title"))
        .map((svg) => `drawing without a description: ${named(svg)} in ${named(svg.parentElement)}`),
    ];
  }

  function unlabelled() {
    const controls = [...document.querySelectorAll("button, select, textarea, input:not([type='hidden']), a[href]")];
    return controls
      .filter((control) => isShown(control))
      .filter((control) => {
        const words = [control.textContent, control.getAttribute("aria-label"), control.title, control.placeholder];
        const inside = [...control.querySelectorAll("img")].map((image) => image.alt);
        const labels = [...(control.labels ?? [])].map((label) => label.textContent);
        return ![...words, ...inside, ...labels].some((text) => text?.trim());
      })
      .map((control) => `control without a name: ${named(control)}`);
  }

  /** Does an ancestor show the element in a scrollable part of the page? */
  function scrolls(element) {
    for (let part = element.parentElement; part && part !== document.body; part = part.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(part).overflowX)) return true;
    }
    return false;
  }

  function overflow() {
    const cut = [...document.querySelectorAll("div.math > math")].filter(
      (formula) => formula.scrollWidth > formula.parentElement.scrollWidth + 1,
    );
    if (cut.length) return [`${cut.length} formulas are cut, the first: ${cut[0].textContent.slice(0, 60)}`];
    const wide = document.documentElement.scrollWidth;
    if (wide <= innerWidth + 1) return [];
    const guilty = [...document.body.querySelectorAll("*")].filter(
      (part) => isShown(part) && part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part),
    );
    // The innermost ones say most.
    const inner = guilty.filter((part) => !guilty.some((other) => other !== part && part.contains(other)));
    return [`${wide} wide in ${innerWidth}: ${[...new Set(inner.map(named))].slice(0, 4).join(", ")}`];
  }

  // --- contrast, as the Web Content Accessibility Guidelines define it -------------------------------------

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parsed = new Map();

  /** Any CSS colour as [red, green, blue, alpha]. */
  function colour(text) {
    if (!parsed.has(text)) {
      const plain = text.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
      if (plain) {
        parsed.set(text, [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)]);
      } else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        parsed.set(text, [r, g, b, a / 255]);
      }
    }
    return parsed.get(text);
  }

  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];

  function luminance(rgb) {
    const [r, g, b] = rgb.map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function ratio(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  function contrast() {
    const behind = new Map();
    const background = (element) => {
      if (!element) return [255, 255, 255];
      if (!behind.has(element)) {
        const below = background(element.parentElement);
        behind.set(element, over(colour(getComputedStyle(element).backgroundColor), below));
      }
      return behind.get(element);
    };
    const opacity = (element) => {
      let product = 1;
      for (let part = element; part; part = part.parentElement) product *= Number(getComputedStyle(part).opacity);
      return product;
    };
    const seen = new Map();
    const look = (element, sample) => {
      const style = getComputedStyle(element);
      const isDrawn = element instanceof SVGElement;
      const [r, g, b, a] = colour(isDrawn ? style.fill : style.color);
      const ground = background(element);
      const key = [r, g, b, a, ...ground, style.fontSize, style.fontWeight, style.opacity].join();
      if (seen.has(key)) return;
      const text = over([r, g, b, a * opacity(element)], ground);
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const found = ratio(text, ground);
      const short = sample.trim().slice(0, 30);
      seen.set(key, found < needed ? `${found.toFixed(2)} of ${needed}: "${short}" in ${named(element)}` : null);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest("script, style, :disabled, [aria-hidden='true']")) continue;
      if (isShown(element)) look(element, node.data);
    }
    return [...seen.values()].filter(Boolean);
  }

  return { unfold, ready, formulas, pictures, unlabelled, overflow, contrast };
})();
