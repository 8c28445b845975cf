// SPDX-License-Identifier: MIT
// Charts are drawn from what the page holds and what is chosen: one function, whatever changed.
"use strict";

const root = document.documentElement;
const chosen = {}; // filter key -> set of values shown
let shownWindow = null; // [from, to] in simulated microseconds, or all
const charts = [...document.querySelectorAll(".chart")].map((node) => ({
  node,
  views: JSON.parse(document.querySelector(`script[data-views="${node.id}"]`).textContent),
  choice: document.querySelector(`select[data-chart="${node.id}"]`),
}));

function isChosen(about) {
  return Object.entries(about).every(([key, value]) => !chosen[key] || chosen[key].has(value));
}

// The trace with only the points (of a heatmap: rows) whose customdata is chosen.
function withChosenPoints(trace) {
  const key = trace.meta.points;
  if (!chosen[key]) return trace;
  const kept = trace.customdata.map((value) => chosen[key].has(value));
  const cut = (list) => (Array.isArray(list) ? list.filter((_, i) => kept[i]) : list);
  const names = trace.type === "heatmap" ? ["y", "z", "text"] : ["x", "y", "text"];
  const result = { ...trace };
  for (const name of [...names, "customdata"]) if (name in trace) result[name] = cut(trace[name]);
  return result;
}

function filtered(traces) {
  return traces
    .filter((trace) => isChosen(trace.meta?.about ?? {}))
    .map((trace) => (trace.meta?.points ? withChosenPoints(trace) : trace));
}

// Black is what a style has for "the text's colour"; it would vanish on a dark page.
function inked(trace, ink) {
  const result = { ...trace };
  for (const part of ["line", "marker"])
    if (result[part]?.color === "#000000") result[part] = { ...result[part], color: ink };
  return result;
}

function themed(layout) {
  const { color, backgroundColor, borderTopColor } = getComputedStyle(document.body);
  const axis = { gridcolor: borderTopColor, linecolor: borderTopColor, zerolinecolor: borderTopColor };
  const result = {
    ...layout,
    autosize: true,
    font: { color, family: "system-ui, DejaVu Sans, sans-serif", size: 12 },
    paper_bgcolor: backgroundColor,
    plot_bgcolor: backgroundColor,
    hoverlabel: { bgcolor: backgroundColor, font: { color } },
    margin: { t: 20, r: 20, l: 75, b: 55, ...layout.margin },
    showlegend: layout.showlegend ?? true,
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", ...layout.legend },
  };
  for (const [name, given] of Object.entries(layout)) {
    if (!/^[xy]axis/.test(name)) continue;
    result[name] = { automargin: true, separatethousands: true, exponentformat: "none", ...axis, ...given };
  }
  if (layout.meta.over_time) result.xaxis.range = [...(shownWindow ?? layout.meta.over_time)];
  return result;
}

function draw(chart) {
  const view = chart.views[chart.choice ? Number(chart.choice.value) : 0];
  const ink = getComputedStyle(document.body).color;
  const data = filtered(view.data).map((trace) => inked(trace, ink));
  const options = { responsive: true, displaylogo: false };
  return Plotly.react(chart.node, data, themed(view.layout), options).then(() => {
    if (chart.watched) return;
    chart.watched = true;
    chart.node.on("plotly_relayout", (change) => zoomed(chart, change));
  });
}

function drawAll() {
  return Promise.all(charts.map(draw));
}

// Zooming into one chart over time cuts the others to the same window.
function zoomed(chart, change) {
  const view = chart.views[chart.choice ? Number(chart.choice.value) : 0];
  if (!view.layout.meta.over_time) return;
  if (change["xaxis.autorange"]) setWindow(null);
  else if ("xaxis.range[0]" in change) setWindow([change["xaxis.range[0]"], change["xaxis.range[1]"]]);
}

function setWindow(range) {
  shownWindow = range;
  const form = document.getElementById("window");
  form.elements.from.value = range ? range[0] : "";
  form.elements.to.value = range ? range[1] : "";
  drawAll();
}

function showRows() {
  for (const row of document.querySelectorAll("tr[data-about]"))
    row.hidden = !isChosen(JSON.parse(row.dataset.about));
}

function choose(filter) {
  const boxes = [...filter.querySelectorAll("input")];
  const on = boxes.filter((box) => box.checked);
  const all = on.length === boxes.length;
  if (all) delete chosen[filter.dataset.key];
  else chosen[filter.dataset.key] = new Set(on.map((box) => box.value));
  filter.querySelector("output").textContent = all ? "all" : `${on.length} of ${boxes.length}`;
  showRows();
  drawAll();
}

function sortBy(header) {
  const table = header.closest("table");
  const column = header.cellIndex;
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const body = table.tBodies[0];
  const sign = ascending ? 1 : -1;
  const compared = (a, b) => {
    const [left, right] = [a.cells[column], b.cells[column]];
    const numbers = "value" in left.dataset && "value" in right.dataset;
    if (numbers) return sign * (Number(left.dataset.value) - Number(right.dataset.value));
    return sign * left.textContent.localeCompare(right.textContent, "en", { numeric: true });
  };
  body.append(...[...body.rows].sort(compared));
}

function setTheme(dark) {
  root.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme").textContent = dark ? "light" : "dark";
  return drawAll();
}

for (const filter of document.querySelectorAll(".filter")) {
  filter.addEventListener("change", () => choose(filter));
  for (const button of filter.querySelectorAll("button"))
    button.addEventListener("click", () => {
      for (const box of filter.querySelectorAll("input")) box.checked = button.dataset.set === "all";
      choose(filter);
    });
}
for (const chart of charts) chart.choice?.addEventListener("change", () => draw(chart));
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => sortBy(button.parentElement));
document.getElementById("theme").addEventListener("click", () => setTheme(root.dataset.theme !== "dark"));
const form = document.getElementById("window");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const [from, to] = [form.elements.from.valueAsNumber, form.elements.to.valueAsNumber];
  if (from < to) setWindow([from, to]);
});
form?.addEventListener("reset", () => setWindow(null));
const preference = matchMedia("(prefers-color-scheme: dark)");
preference.addEventListener("change", () => setTheme(preference.matches));
setTheme(preference.matches).then(() => { root.dataset.drawn = "true"; });
