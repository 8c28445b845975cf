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
  legend: node.closest("figure").querySelector(".legend"),
  logs: [...node.closest("figure").querySelectorAll("[data-log]")], // switches of logarithmic axes
  values: node.closest("figure").querySelector(".values table"),
  hidden: new Set(), // names of traces that a click in the legend has hidden
}));

// The rows of a timeline come as strings of digits.
for (const trace of charts.flatMap((chart) => chart.views.flatMap((view) => view.data)))
  if (typeof trace.z?.[0] === "string")
    trace.z = trace.z.map((row) => Array.from(row, (digit) => (digit === "." ? null : Number(digit))));

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

function filtered(chart, traces) {
  return traces
    .filter((trace) => isChosen(trace.meta?.about ?? {}))
    .map((trace) => (trace.meta?.points ? withChosenPoints(trace) : trace))
    .map((trace) => (chart.hidden.has(trace.name) ? { ...trace, visible: "legendonly" } : trace));
}

// Black is what a style has for "the text's colour"; it would vanish on a dark page.
function inked(trace, ink) {
  const result = { ...trace };
  for (const part of ["line", "marker"])
    if (result[part]?.color === "#000000") result[part] = { ...result[part], color: ink };
  return result;
}

const DASHES = { dash: "6 4", dashdot: "6 3 2 3", dot: "2 3" };

function swatch(colour, dash, symbol) {
  if (symbol?.startsWith("x")) {
    const cross = document.createElement("b");
    cross.style.color = colour;
    cross.textContent = "\u2715 ";
    return cross;
  }
  if (dash === undefined) {
    const square = document.createElement("i");
    square.style.background = colour;
    return square;
  }
  const line = document.createElement("span");
  line.innerHTML = '<svg viewBox="0 0 24 8"><line x2="24" y1="4" y2="4" stroke-width="3"/></svg>';
  const drawn = line.querySelector("line");
  drawn.setAttribute("stroke", colour);
  drawn.setAttribute("stroke-dasharray", DASHES[dash] ?? "none");
  return line;
}

// A legend of our own wraps its lines, and leaves the height of the chart alone.
function entry(chart, trace) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-pressed", String(!chart.hidden.has(trace.name)));
  const isLine = trace.mode?.startsWith("lines") && !trace.stackgroup;
  const colour = trace.line?.color ?? trace.marker?.color;
  const dash = isLine ? trace.line?.dash ?? "solid" : undefined;
  button.append(swatch(colour, dash, trace.marker?.symbol), trace.name);
  if (trace.line?.width > 3) button.classList.add("own");
  button.addEventListener("click", () => {
    if (!chart.hidden.delete(trace.name)) chart.hidden.add(trace.name);
    draw(chart);
  });
  return button;
}

function explain(chart, view, data) {
  const first = new Map(data.filter((trace) => trace.name).map((trace) => [trace.name, trace]));
  const named = [...first.values()];
  const alone = view.data.length < 2 && !named[0]?.meta?.about;
  const fixed = (view.layout.meta.legend ?? []).map(([name, colour]) => {
    const text = document.createElement("span");
    text.append(swatch(colour), name);
    return text;
  });
  const entries = alone ? [] : named.map((trace) => entry(chart, trace));
  chart.legend.replaceChildren(...(fixed.length ? fixed : entries));
}

// A table of the curves that are shown: a row for each x, a column for each curve.
function tabulate(chart, view, data) {
  const shown = data.filter((trace) => trace.meta?.shown && trace.visible !== "legendonly");
  const xs = [...new Set(shown.flatMap((trace) => trace.meta.shown.map(([x]) => x)))].sort((a, b) => a - b);
  const cell = (kind, text) => {
    const made = document.createElement(kind);
    made.textContent = text;
    if (kind === "td") made.className = "number";
    return made;
  };
  const row = (kind, texts) => {
    const made = document.createElement("tr");
    made.append(...texts.map((text) => cell(kind, text)));
    return made;
  };
  const columns = shown.map((trace) => new Map(trace.meta.shown));
  const head = document.createElement("thead");
  head.append(row("th", [view.layout.xaxis.title.text, ...shown.map((trace) => trace.meta.title)]));
  const body = document.createElement("tbody");
  for (const x of xs)
    body.append(row("td", [x.toLocaleString("en"), ...columns.map((column) => column.get(x) ?? "")]));
  chart.values.replaceChildren(head, body);
}

// On a logarithmic axis few values are its ticks; what is not above zero has no place there.
function logarithmic(axis, values) {
  const { rangemode, dtick, ...rest } = axis;
  const above = [...new Set(values.filter((value) => value > 0))];
  const ticks = above.length > 10 || above.some((value) => value % 1) ? {} : { tickmode: "array", tickvals: above };
  return { ...rest, type: "log", ...ticks };
}

function themed(node, layout) {
  const { color, backgroundColor, borderTopColor } = getComputedStyle(node);
  const axis = { gridcolor: borderTopColor, linecolor: borderTopColor, zerolinecolor: borderTopColor };
  const result = {
    ...layout,
    autosize: true,
    font: { color, family: "system-ui, DejaVu Sans, sans-serif", size: 12 },
    paper_bgcolor: backgroundColor,
    plot_bgcolor: backgroundColor,
    hoverlabel: { bgcolor: backgroundColor, font: { color } },
    margin: { t: 10, r: 36, l: 75, b: 42, ...layout.margin },
    modebar: { orientation: "v", bgcolor: "transparent" }, // in the right margin, beside the data
    showlegend: false,
  };
  const aligned = layout.margin?.l !== undefined; // with the chart above
  for (const [name, given] of Object.entries(layout)) {
    if (!/^[xy]axis/.test(name)) continue;
    const title = { standoff: 6, ...given.title };
    // A label at the top of a y axis does not move the margin, else the labels could become fewer.
    const automargin = !aligned && (name[0] === "y" ? "width" : true);
    result[name] = { automargin, separatethousands: true, exponentformat: "none", ...axis, ...given, title };
  }
  if (layout.meta.over_time) result.xaxis.range = [...(shownWindow ?? layout.meta.over_time)];
  return result;
}

function draw(chart) {
  const view = chart.views[chart.choice ? Number(chart.choice.value) : 0];
  const ink = getComputedStyle(document.body).color;
  const data = filtered(chart, view.data).map((trace) => inked(trace, ink));
  const options = {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  };
  explain(chart, view, data);
  if (chart.values) tabulate(chart, view, data);
  const layout = themed(chart.node, view.layout);
  for (const { checked, dataset } of chart.logs) {
    const axis = `${dataset.log}axis`;
    const curves = data.filter((trace) => !trace.yaxis); // failed runs have an axis of their own
    if (checked) layout[axis] = logarithmic(layout[axis], dataset.log === "x" ? data.flatMap((t) => t.x) : curves.flatMap((t) => t.y));
  }
  return Plotly.react(chart.node, data, layout, options).then(() => {
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
for (const chart of charts)
  for (const control of [chart.choice, ...chart.logs]) control?.addEventListener("change", () => draw(chart));
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

// The menu is folded on a narrow page, and marks the section that is read.
const menu = document.getElementById("menu");
const narrow = matchMedia("(max-width: 60rem)");
const fold = () => { menu.open = !narrow.matches; };
narrow.addEventListener("change", fold);
fold();
const links = [...document.querySelectorAll("nav a")];
for (const link of links)
  link.addEventListener("click", () => { if (narrow.matches) menu.open = false; });
function markSection() {
  const begun = links.filter((link) => document.querySelector(link.hash).getBoundingClientRect().top < 120);
  for (const link of links) link.toggleAttribute("aria-current", link === begun.at(-1));
}
addEventListener("scroll", markSection, { passive: true });
markSection();

const preference = matchMedia("(prefers-color-scheme: dark)");
preference.addEventListener("change", () => setTheme(preference.matches));
setTheme(preference.matches).then(() => { root.dataset.drawn = "true"; });
