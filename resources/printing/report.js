"use strict";
// Sort a table by the column whose head is clicked; the second click reverses the order.
const valueOf = (row, column) => {
  const text = row.cells[column].textContent.replace(/−/g, "-").replace(/,(?=\d{3})/g, "");
  const number = parseFloat(text.replace(/^[<≤>]\s*/, ""));
  return Number.isNaN(number) ? text : number;
};
const compare = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a.localeCompare(b);
};
const sortBy = (head) => {
  const body = head.closest("table").tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compare(valueOf(a, head.cellIndex), valueOf(b, head.cellIndex)));
  body.append(...rows);
};
for (const head of document.querySelectorAll("thead th")) {
  head.tabIndex = 0;
  head.title = "Sort by this column";
  head.addEventListener("click", () => sortBy(head));
  head.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sortBy(head); }
  });
}
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-10% 0px -80% 0px" });
for (const section of document.querySelectorAll("main > section")) seen.observe(section);
