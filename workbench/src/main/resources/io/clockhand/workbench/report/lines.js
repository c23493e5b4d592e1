// For pages whose charts have lines: a line for each contender, a point for each median. Such a page has a function draw().
const distinct = values => [...new Set(values)];
const several = field => distinct(report.runs.map(r => r[field]).filter(value => value !== null)).length > 1;
const style = property => getComputedStyle(document.documentElement).getPropertyValue(property);
const byX = list => list.sort((a, b) => a.x - b.x);
const percent = value => fixed(value, 2) + " %";
const many = n => n + (n === 1 ? " thread" : " threads");
const shortCount = value => value >= 1e6 ? +(value / 1e6).toPrecision(3) + " M"
  : value >= 1e3 ? +(value / 1e3).toPrecision(3) + " k" : String(+value.toPrecision(3));
const median = values => {
  const sorted = values.filter(v => v !== null).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length === 0 ? null : sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

// --- how lines look -------------------------------------------------------------------------------------------------
const COLOURS = ["#1f77d0", "#e07b00", "#2a9d5c", "#9b4dca", "#c2344d", "#0f8f9c", "#8a6d3b", "#d3589c"];
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3]];
const MARKS = ["circle", "rectRot", "triangle", "rect"];

/** Line number i, dashed in one of several ways. Points that lie on one another show all the same: those below are larger. */
function look(i, round) {
  const colour = COLOURS[i % COLOURS.length];
  return { borderColor: colour, backgroundColor: colour, borderWidth: 2, borderDash: DASHES[round % DASHES.length],
           pointRadius: 4 + Math.min(i, 6), pointStyle: MARKS[i % MARKS.length] };
}

// --- what the charts are about --------------------------------------------------------------------------------------
const chosen = {};

/** Lets the reader choose one of the values of a field, if there are several. */
function choice(field, label, format, last) {
  const values = distinct(report.runs.map(r => r[field]));
  chosen[field] = last ? values[values.length - 1] : values[0];
  if (values.length === 1) return;
  const box = document.getElementById("choices").appendChild(document.createElement("label"));
  box.textContent = label;
  const select = box.appendChild(document.createElement("select"));
  select.id = "choose-" + field;
  values.forEach(value => select.add(new Option(format(value), value, false, value === chosen[field])));
  select.addEventListener("change", () => { chosen[field] = values[select.selectedIndex]; draw(); });
}

// --- charts ---------------------------------------------------------------------------------------------------------
const charts = {};

function canvas(id, wide) {
  const section = document.getElementById("charts").appendChild(document.createElement("section"));
  section.className = "card";
  if (wide) section.style.gridColumn = "1 / -1";
  section.appendChild(document.createElement("h2")).id = id + "-title";
  const box = section.appendChild(document.createElement("div"));
  box.className = "canvas";
  box.appendChild(document.createElement("canvas")).id = id;
}

function axis(title, format, extra) {
  return { title: { display: true, text: title, color: style("--soft") }, grid: { color: style("--line") },
           ticks: { color: style("--soft"), callback: format }, ...extra };
}

/** An axis whose steps are factors, with a tick at each value of a field. */
function doubling(field) {
  const values = distinct(report.runs.map(r => r[field])).filter(value => value !== null).sort((a, b) => a - b);
  return { type: "logarithmic", min: values[0] * 0.85, max: values[values.length - 1] * 1.18,
           afterBuildTicks: scale => { scale.ticks = values.map(value => ({ value })); } };
}

/** An axis for figures of which some are a thousand times others: a tick at each power of ten, or at a few between if those are few. */
const POWERS_OF_TEN = {
  type: "logarithmic", grace: "8%",
  afterBuildTicks: scale => {
    const digits = t => +(t.value / 10 ** Math.floor(Math.log10(t.value) + 1e-9)).toFixed(3);
    const powers = scale.ticks.filter(t => digits(t) === 1);
    scale.ticks = powers.length > 2 ? powers : scale.ticks.filter(t => [1, 2, 5].includes(digits(t)));
  }
};

/** Draws lines, each with a label, its points as data, and a look. */
function plot(id, title, lines, x, y, tip, legend) {
  text(id + "-title", title);
  if (charts[id]) charts[id].destroy();
  charts[id] = new Chart(document.getElementById(id), {
    type: "scatter",
    data: { datasets: lines.map(line => ({ showLine: true, ...line })) },
    options: { animation: false, responsive: true, maintainAspectRatio: false, scales: { x, y }, color: style("--ink"),
      plugins: { legend: { display: legend === true, position: "bottom", labels: { boxWidth: 14 } },
                 tooltip: { callbacks: { label: item => `${item.dataset.label}: ${tip(item.raw)}` } } } }
  });
}

/** A point for each combination of the fields, the median of its repeats. */
function medians(runs, fields, xOf, yOf) {
  const groups = new Map();
  runs.forEach(r => {
    const key = fields.map(field => r[field]).join();
    groups.set(key, [...(groups.get(key) || []), r]);
  });
  return [...groups.values()]
    .map(g => ({ ...Object.fromEntries(fields.map(field => [field, g[0][field]])), x: median(g.map(xOf)), y: median(g.map(yOf)) }))
    .filter(p => p.x !== null && p.y !== null);
}
