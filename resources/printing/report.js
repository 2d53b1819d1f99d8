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
// Copy a table, or the marks of a figure, as Python code. An interval becomes two columns of its own.
const interval = /^([+-]?[\d.]+) \[([+-]?[\d.]+), ([+-]?[\d.]+)\]$/;
const plain = (text) => text.trim().replace(/−/g, "-").replace(/,(?=\d{3})/g, "");
const literal = (text) => {
  if (text === "" || text === "–") return "None";
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : JSON.stringify(text);
};
const frame = (names, rows) => {
  const lines = rows.map((row) => `    [${row.map(literal).join(", ")}],`);
  return `import pandas as pd\n\ndata = pd.DataFrame(\n  [\n${lines.join("\n")}\n  ],\n  columns=${JSON.stringify(names)},\n)\n`;
};
const tableFrame = (table) => {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => plain(cell.textContent)));
  const wide = [...table.tHead.rows[0].cells].map((_, x) => rows.some((row) => interval.test(row[x])));
  const split = (text) => { const found = text.match(interval); return found ? found.slice(1) : [text, "", ""]; };
  const names = [...table.tHead.rows[0].cells].flatMap((head, x) => {
    const name = head.textContent.trim();
    return wide[x] ? [name, `${name}, low`, `${name}, high`] : [name];
  });
  return frame(names, rows.map((row) => row.flatMap((text, x) => (wide[x] ? split(text) : [text]))));
};
const plotFrame = (plot) => frame(["about", "x", "y"], [...plot.querySelectorAll("i")].map((mark) => [mark.title, mark.dataset.x, mark.dataset.y]));
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const figure = button.closest("figure");
    const table = figure.querySelector("table");
    await navigator.clipboard.writeText(table ? tableFrame(table) : plotFrame(figure.querySelector(".plot")));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy as pandas"; }, 2000);
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
