/* A link that names a preview shows it: by mouse and keyboard beside the link, by touch as a sheet with a way to go on. */
(() => {
  "use strict";
  if (!HTMLElement.prototype.showPopover) return;
  const tipOf = (link) => document.getElementById(link.getAttribute("aria-describedby"));
  const linkAt = (part) => part?.closest?.("a[aria-describedby^='preview-']");
  let waiting;

  // Below the last line of the link, or above its first where there is more room; never beyond the window.
  function place(tip, link) {
    const lines = [...link.getClientRects()], first = lines[0], last = lines.at(-1);
    const header = document.querySelector(".bd-header-article")?.getBoundingClientRect().bottom ?? 0;
    const above = first.top - Math.max(0, header), below = innerHeight - last.bottom;
    tip.style.maxHeight = "none";
    const { width, height } = tip.getBoundingClientRect(), isAbove = height > below && above > below;
    tip.style.maxHeight = `${Math.min(height, isAbove ? above : below)}px`;
    tip.style.left = `${Math.max(8, Math.min(last.left, document.documentElement.clientWidth - width - 8))}px`;
    tip.style.top = isAbove ? `${first.top - Math.min(height, above)}px` : `${last.bottom}px`;
  }

  function show(link) {
    clearTimeout(waiting);
    const tip = tipOf(link);
    if (!tip || tip.matches(":popover-open")) return;
    tip.classList.remove("klcal-sheet");
    tip.querySelector(".klcal-go")?.remove();
    tip.showPopover();
    place(tip, link);
  }
  function sheet(link) {
    const tip = tipOf(link), go = document.createElement("a");
    for (const open of document.querySelectorAll(".klcal-tip:popover-open")) open.hidePopover();
    tip.querySelector(".klcal-go")?.remove();
    Object.assign(go, { href: link.href, className: "klcal-go", textContent: "Go there" });
    tip.append(go);
    tip.removeAttribute("style");
    tip.classList.add("klcal-sheet");
    tip.showPopover();
    if (!history.state?.sheet) history.pushState({ sheet: true }, "");
  }
  // The button Back closes a sheet and leaves the page where it is; a sheet closed otherwise takes its step back along.
  const isSheet = () => document.querySelector(".klcal-sheet:popover-open");
  addEventListener("popstate", () => isSheet()?.hidePopover());
  document.addEventListener("toggle", ({ target, newState }) => {
    if (newState === "closed" && target.matches?.(".klcal-sheet") && !isSheet() && history.state?.sheet) history.back();
  }, true);
  function hide() {
    clearTimeout(waiting);
    for (const open of document.querySelectorAll(".klcal-tip:popover-open:not(.klcal-sheet)")) open.hidePopover();
  }

  let touch = false;
  document.addEventListener("pointerdown", ({ pointerType }) => { touch = pointerType === "touch"; }, true);
  document.addEventListener("click", (event) => {
    const link = linkAt(event.target);
    if (touch && link) { event.preventDefault(); sheet(link); }
    if (event.target.matches?.(".klcal-go")) {
      event.preventDefault();
      const { href } = event.target;
      history.replaceState(null, "");
      event.target.closest(".klcal-tip").hidePopover();
      location.replace(href); // in the place of the sheet
    }
  });
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    if (linkAt(target)) show(linkAt(target));
    else if (target.closest?.(".klcal-tip")) clearTimeout(waiting);
    else if (document.querySelector(".klcal-tip:popover-open")) { clearTimeout(waiting); waiting = setTimeout(hide, 200); }
  }, { passive: true });
  document.addEventListener("focusin", ({ target }) => { if (!touch && linkAt(target)) show(linkAt(target)); else if (!touch) hide(); });
  document.addEventListener("focusout", ({ target }) => { if (linkAt(target)) hide(); });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") for (const open of document.querySelectorAll(".klcal-tip:popover-open")) open.hidePopover();
  });
  // Who comes by the keyboard makes the page scroll: the preview goes with its link.
  document.addEventListener("scroll", () => {
    const link = linkAt(document.activeElement), tip = link && tipOf(link);
    if (tip?.matches(":popover-open:not(.klcal-sheet)")) place(tip, link);
    else hide();
  }, { passive: true });

  // On paper nothing is folded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not([open])")].filter((part) => !part.closest(".cell_input, .hide"));
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of opened) each.open = false; });
})();
