/* "On this page" goes with the reader: the section that is read is marked, and its entry is in sight. */
(function () {
  "use strict";

  const place = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)))?.getBoundingClientRect().top;

  // The theme marks a heading that passes the top of the window; after a jump none may have passed.
  function marked(list) {
    const links = [...list.querySelectorAll("#pst-page-toc-nav a")];
    const old = links.find((link) => link.matches(".active"));
    if (old && place(old) >= 0 && place(old) < innerHeight) return old;
    const now = links.findLast((link) => place(link) < 0.3 * innerHeight);
    for (const link of links) {
      link.classList.toggle("active", link === now);
      if (link === now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of list.querySelectorAll(".toc-entry")) entry.classList.toggle("active", entry.contains(now ?? null));
    return now;
  }

  function follow() {
    const list = document.querySelector(".bd-sidebar-secondary");
    if (!list) return;
    const link = marked(list);
    if (!link) { list.scrollTop = 0; return; }
    const outer = list.getBoundingClientRect(), inner = link.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 3;
  }

  let waiting;
  window.addEventListener("scroll", () => { clearTimeout(waiting); waiting = setTimeout(follow, 100); }, { passive: true });
})();
