/* Previews and paper. Statements in previews are typeset when they are first looked at: a page may have hundreds of them. */
(function () {
  "use strict";
  function typeset(event) {
    const link = event.target.closest && event.target.closest("a:has(> .klcal-tip)");
    const tip = link && link.querySelector(".klcal-tip");
    const later = tip ? [...tip.querySelectorAll(".klcal-later")] : [];
    if (!later.length || !window.MathJax || !MathJax.typesetPromise) return;
    for (const each of later) each.className = "math";
    MathJax.typesetPromise([tip]).catch(() => {});
  }
  // On paper nothing is folded.
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not([open])")];
    for (const each of opened) each.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
    opened = [];
  });

  document.documentElement.classList.add("klcal-scripts");
  for (const name of ["mouseover", "focusin"]) document.addEventListener(name, typeset, { passive: true });
})();
