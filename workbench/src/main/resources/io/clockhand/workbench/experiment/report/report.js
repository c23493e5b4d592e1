// Draws the data of the page: the report as in the JSON file, and how to show it.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
const runs = report[data.list].map((run, i) => ({ ...run, label: data.labels[i] }));
const summary = (report.summary || []).map((line, i) => ({ ...line, label: data.summaryLabels[i] }));
const distinct = values => [...new Set(values)];
const style = property => getComputedStyle(document.documentElement).getPropertyValue(property);
const contenders = distinct(data.labels);

// --- numbers --------------------------------------------------------------------------------------------------------
const count = value => Math.round(value).toLocaleString("en-US");
const short = value => value >= 1e6 ? +(value / 1e6).toPrecision(3) + " M"
  : value >= 1e3 ? +(value / 1e3).toPrecision(3) + " k" : String(+value.toPrecision(3));
const exact = value => Math.abs(value) >= 1000 ? count(value) : String(+value.toPrecision(4));
const byNumber = (a, b) => a - b;
/** A figure of a run, ratios in percent; "a.b" is the figure b of its object a. */
function valueOf(run, field) {
  const value = field.split(".").reduce((object, name) => object == null ? null : object[name], run);
  return value == null ? null : field.endsWith("Ratio") ? 100 * value : value;
}

function median(values) {
  const sorted = values.filter(value => value !== null).sort(byNumber);
  const middle = sorted.length >> 1;
  return sorted.length === 0 ? null : sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// --- style ----------------------------------------------------------------------------------------------------------
const COLOURS = ["#1f77d0", "#e07b00", "#2a9d5c", "#9b4dca", "#c2344d",
  "#0f8f9c", "#8a6d3b", "#d3589c", "#5566aa", "#7a9a01",
  "#b8860b", "#00b3a4", "#e0533d", "#6a3d9a", "#3f7f3f", "#ff7fbf", "#4d4d4d"];
/** A policy has the colour of its place here, in every report. New ones are added at the end. */
const POLICIES = ["nb-gclock3", "nb-gclock", "lru", "2q", "lirs", "mq", "gclock", "gclock3", "clock", "fifo",
  "2r-gclock", "arc", "car", "clock-pro", "s3-fifo", "sieve", "w-tinylfu"];
/** The name of a policy, without the form before it and the other parts of a contender's name. */
const policyOf = label => label.split(", ")[0].split(":").pop();
const GREY = "#8792a2";
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const MARKS = ["circle", "rectRot", "triangle", "rect"];
/**
 * The baseline and the optimum are grey; contenders with the same policy differ in their dashes; points that lie on one
 * another differ in size.
 */
function look(label) {
  const grey = label === "derby" || label === "opt";
  const coloured = contenders.filter(other => other !== "derby" && other !== "opt");
  const i = coloured.indexOf(label);
  const policy = policyOf(label);
  const known = POLICIES.indexOf(policy);
  const place = known >= 0 ? known : i;
  const dash = known >= 0 ? coloured.filter(other => policyOf(other) === policy).indexOf(label)
    : Math.floor(i / COLOURS.length);
  const colour = grey ? GREY : COLOURS[place % COLOURS.length];
  return { borderColor: colour, backgroundColor: colour, borderWidth: 2, pointRadius: 4 + Math.min(Math.max(i, 0), 6),
           borderDash: grey ? DASHES[2] : DASHES[Math.max(dash, 0) % DASHES.length],
           pointStyle: MARKS[Math.max(i, 0) % MARKS.length] };
}

// --- text -----------------------------------------------------------------------------------------------------------
function element(parent, tag, content, className) {
  const made = parent.appendChild(document.createElement(tag));
  if (content !== undefined) made.textContent = content;
  if (className) made.className = className;
  return made;
}
const byId = id => document.getElementById(id);

function table(grid) {
  const card = element(byId("tables"), "section", undefined, "card");
  element(card, "h2", grid.title);
  if (grid.common) element(card, "p", grid.common, "common");
  const body = element(card, "table");
  const head = element(body, "tr");
  grid.head.forEach(cell => element(head, "th", cell));
  grid.rows.forEach(cells => {
    const row = element(body, "tr");
    cells.forEach(cell => element(row, "td", cell));
  });
}

function definitions(id, entries) {
  Object.entries(entries).forEach(([name, value]) => {
    element(byId(id), "dt", name);
    element(byId(id), "dd", value === null ? "–" : Array.isArray(value) ? value.join(", ") : String(value));
  });
}

// --- choices: of each setting that is neither on a chart's axis nor has a chart for each value ----------------------
const chosen = {};
const drawn = [];
data.choices.forEach(({ field, head }) => {
  const values = distinct(runs.map(run => run[field]));
  const used = data.charts.filter(chart => chart.by !== field && !chart.each.includes(field));
  chosen[field] = typeof values[0] !== "number" || field === "missPercent" ? values[0]
    // With as many frames as pages all policies are alike.
    : values[used.some(chart => chart.by === "reference") ? values.length >> 1 : values.length - 1];
  if (used.length === 0) return;
  const select = element(element(byId("choices"), "label", head), "select");
  select.id = "choose-" + field;
  values.forEach(value => {
    select.add(new Option(String(value).split("/").pop(), value, false, value === chosen[field]));
  });
  select.addEventListener("change", () => { chosen[field] = values[select.selectedIndex]; draw(); });
});

/** The combinations of the values of fields, as objects. */
function combinations(fields) {
  return fields.reduce((all, field) => all.flatMap(one =>
    distinct(runs.map(run => run[field])).map(value => ({ ...one, [field]: value }))), [{}]);
}

// --- charts ---------------------------------------------------------------------------------------------------------
function axis(title, extra) {
  return { title: { display: true, text: title, color: style("--soft") }, grid: { color: style("--line") },
           ...extra, ticks: { color: style("--soft"), ...(extra || {}).ticks } };
}

const MOST_TICKS = 9;

/** Of sorted values those whose labels have room: the first, the last, and those between them that are far apart. */
function apart(sorted, place) {
  const last = sorted[sorted.length - 1];
  const gap = (place(last) - place(sorted[0])) / MOST_TICKS;
  const shown = [];
  sorted.forEach(value => {
    const far = other => place(value) - place(other) >= gap;
    if (value === last) while (shown.length > 1 && !far(shown[shown.length - 1])) shown.pop();
    if (shown.length === 0 || value === last || far(shown[shown.length - 1])) shown.push(value);
  });
  return shown;
}

/** An axis whose steps are factors, with a tick at each value that has room for its label. */
function doubling(title, values) {
  const sorted = distinct(values).sort(byNumber);
  const linear = sorted.some(value => value <= 0);
  const shown = apart(sorted, linear ? value => value : Math.log);
  const ticks = { ticks: { callback: exact, maxRotation: 0 },
                  afterBuildTicks: scale => { scale.ticks = shown.map(value => ({ value })); } };
  return linear ? axis(title, ticks)
    : axis(title, { type: "logarithmic", min: sorted[0] * 0.85, max: sorted[sorted.length - 1] * 1.18, ...ticks });
}

/** Names the lines that lie on one another at all points, since only the last of them is seen. */
function coinciding(sets) {
  const groups = new Map();
  sets.forEach(set => {
    const points = set.data.map(point => `${point.x} ${point.y}`).join();
    groups.set(points, [...(groups.get(points) || []), set.label]);
  });
  const same = [...groups.values()].filter(labels => labels.length > 1);
  return same.length === 0 ? "" : "The same at all points: " + same.map(labels => labels.join(" = ")).join("; ") + ".";
}

/** An axis for figures of which some are a thousand times others: ticks at the powers of ten, or a few between. */
const powersOfTen = title => axis(title, {
  type: "logarithmic", grace: "8%", ticks: { callback: short },
  afterBuildTicks: scale => {
    const digit = tick => +(tick.value / 10 ** Math.floor(Math.log10(tick.value) + 1e-9)).toFixed(3);
    const powers = scale.ticks.filter(tick => digit(tick) === 1);
    scale.ticks = powers.length > 2 ? powers : scale.ticks.filter(tick => [1, 2, 5].includes(digit(tick)));
  }
});

/** Draws single runs as points over their bar, or an interval as a whisker. */
const marks = (values, whisker) => ({
  id: "marks",
  afterDatasetsDraw(chart) {
    const context = chart.ctx;
    chart.data.datasets.forEach((dataset, i) => chart.getDatasetMeta(i).data.forEach((bar, j) => {
      const own = values(dataset.label, j);
      const y = value => chart.scales.y.getPixelForValue(value);
      context.lineWidth = 2;
      context.strokeStyle = whisker ? style("--ink") : dataset.borderColor;
      if (whisker && own.length === 2) {
        context.beginPath();
        own.forEach(value => { context.moveTo(bar.x - 6, y(value)); context.lineTo(bar.x + 6, y(value)); });
        context.moveTo(bar.x, y(own[0]));
        context.lineTo(bar.x, y(own[1]));
        context.stroke();
      } else if (!whisker) {
        own.forEach((value, k) => {
          const spread = bar.width * 0.3;
          context.beginPath();
          const x = own.length === 1 ? bar.x : bar.x - spread + 2 * spread * k / (own.length - 1);
          context.arc(x, y(value), 4, 0, 2 * Math.PI);
          context.fillStyle = "#fff";
          context.fill();
          context.stroke();
        });
      }
    }));
  }
});

/** A dashed line at 1, for ratios. */
const one = {
  id: "one",
  beforeDatasetsDraw(chart) {
    const y = chart.scales.y.getPixelForValue(1);
    chart.ctx.save();
    chart.ctx.setLineDash([5, 4]);
    chart.ctx.strokeStyle = GREY;
    chart.ctx.beginPath();
    chart.ctx.moveTo(chart.chartArea.left, y);
    chart.ctx.lineTo(chart.chartArea.right, y);
    chart.ctx.stroke();
    chart.ctx.restore();
  }
};

function bars(spec, where) {
  const isRatio = spec.y === "ratio";
  const fits = entry => Object.entries(where).every(([field, value]) => entry[field] === value);
  const xs = distinct(runs.filter(fits).map(run => run[spec.by]));
  const shown = (isRatio ? summary : runs).filter(fits);
  const ratioOf = line => line.ratio;
  const isMeasured = entry => isRatio ? ratioOf(entry) : valueOf(entry, spec.y) !== null;
  const labels = contenders.filter(label => shown.some(entry => entry.label === label && isMeasured(entry)));
  const at = (label, j) => shown.filter(entry => entry.label === label && entry[spec.by] === xs[j]);
  const heightOf = (label, j) => isRatio
    ? median(at(label, j).map(line => ratioOf(line) ? ratioOf(line).value : null))
    : median(at(label, j).map(run => valueOf(run, spec.y)));
  const marksOf = (label, j) => isRatio
    ? at(label, j).filter(ratioOf).flatMap(line => [ratioOf(line).low, ratioOf(line).high])
    : at(label, j).map(run => valueOf(run, spec.y)).filter(value => value !== null);
  const highest = Math.max(isRatio ? 1 : 0, ...labels.flatMap(label => xs.flatMap((x, j) => marksOf(label, j))));
  return labels.length === 0 ? null : {
    type: "bar",
    data: { labels: xs.map(x => `${x} ${headOf(spec.by)}`), datasets: labels.map(label => ({ label,
      data: xs.map((x, j) => heightOf(label, j)), borderColor: look(label).borderColor,
      backgroundColor: look(label).borderColor + "b0", borderWidth: 1, borderRadius: 3, maxBarThickness: 72 })) },
    options: options(axis("", { grid: { display: false } }), spec.log ? powersOfTen(spec.unit)
      : axis(spec.unit,
        { beginAtZero: true, suggestedMax: highest * 1.08, ticks: { callback: isRatio ? exact : short } }),
      item => `${item.dataset.label}: ${exact(item.raw)}`),
    plugins: [marks(marksOf, isRatio), ...(isRatio ? [one] : [])]
  };
}

const headOf = field => (data.choices.find(choice => choice.field === field) || { head: field }).head;

function lines(spec, where) {
  const shown = runs.filter(run => run[spec.by] !== null
    && Object.entries(where).every(([field, value]) => run[field] === value));
  const sets = distinct(shown.map(run => run.label)).map(label => {
    const own = shown.filter(run => run.label === label);
    return { label, showLine: true, ...look(label), data: distinct(own.map(run => run[spec.by])).sort(byNumber)
      .map(value => ({ x: value,
                       y: median(own.filter(run => run[spec.by] === value).map(run => valueOf(run, spec.y))) }))
      // A figure of nothing has no place where steps are factors.
      .filter(point => point.y !== null && (!spec.log || point.y > 0)) };
  }).filter(set => set.data.length > 0);
  sets.filter(set => set.data.length > MOST_TICKS).forEach(set => { set.pointRadius = 2; });
  const x = doubling(headOf(spec.by), shown.map(run => run[spec.by]));
  const isPercent = spec.unit.endsWith("%");
  return sets.length === 0 ? null : {
    type: "scatter", data: { datasets: sets }, remark: coinciding(sets),
    options: options(x, spec.log ? powersOfTen(spec.unit)
      : axis(spec.unit, { beginAtZero: !isPercent, grace: "8%", ticks: { callback: short } }),
      item => `${item.dataset.label}: ${exact(item.raw.y)} ${spec.unit}, ${item.raw.x} ${headOf(spec.by)}`)
  };
}

/** "pages written" of the field pagesWrittenPerSecond: the unit says the rest. */
const wordsOf = field =>
  field.replace(/Per(Second|Batch)$/, "").replace(/[A-Z]/g, letter => " " + letter.toLowerCase());

/** A line for each run and figure, a point for each second or part; figures differ in their dashes. */
function overTime(spec, where) {
  const shown = runs.filter(run => run.overTime
    && Object.entries(where).every(([field, value]) => run[field] === value));
  const sets = shown.flatMap(run => spec.overTime.map((figure, i) => ({
    label: [run.label, shown.some(other => other.repeat !== run.repeat) ? `repeat ${run.repeat}` : "",
            spec.by === "second" ? wordsOf(figure) : ""]
      .filter(Boolean).join(", "),
    showLine: true, ...look(run.label), borderDash: DASHES[i % DASHES.length], borderWidth: 1.5, pointRadius: 1.5,
    data: run.overTime.filter(moment => moment[figure] !== null)
      .map(moment => ({ x: moment[spec.by], y: moment[figure] }))
  }))).filter(set => set.data.length > 0);
  const seconds = spec.by === "second";
  return sets.length === 0 ? null : {
    type: "scatter", data: { datasets: sets }, remark: coinciding(sets),
    options: options(axis(seconds ? "seconds after the warm-up" : "references after the warm-up",
        { beginAtZero: true, ticks: { callback: seconds ? exact : short, maxRotation: 0 } }),
      axis(spec.unit, { beginAtZero: !spec.unit.endsWith("%"), grace: "8%", ticks: { callback: short } }),
      item => `${item.dataset.label}: ${exact(item.raw.y)} ${spec.unit}, ${spec.by} ${exact(item.raw.x)}`)
  };
}

/** A line for each policy that a cache has estimated, by its size, and the hit ratio that was counted as a point. */
function estimates(spec, where) {
  const own = report[spec.estimates.list].find(entry => entry.estimates
    && Object.entries(where).every(([field, value]) => entry[field] === value));
  if (own === undefined) return null;
  const policies = distinct(own.estimates.map(estimate => estimate.policy));
  const sets = policies.map((policy, i) => {
    const known = POLICIES.indexOf(policyOf(policy));
    const colour = COLOURS[(known >= 0 ? known : i) % COLOURS.length];
    return { label: policy, showLine: true, borderColor: colour, backgroundColor: colour, borderWidth: 2,
             pointRadius: 4, pointStyle: MARKS[i % MARKS.length],
             data: own.estimates.filter(estimate => estimate.policy === policy && estimate.hitRatio !== null)
               .map(estimate => ({ x: estimate.frames, y: 100 * estimate.hitRatio })) };
  }).filter(set => set.data.length > 0);
  if (sets.length === 0) return null;
  if (own.hitRatio !== null && own.hitRatio !== undefined) {
    sets.unshift({ label: "counted", showLine: false, borderColor: style("--ink"), backgroundColor: "transparent",
                   borderWidth: 2, pointRadius: 9, pointStyle: "circle",
                   data: [{ x: own[spec.estimates.size], y: 100 * own.hitRatio }] });
  }
  return {
    type: "scatter", data: { datasets: sets }, remark: coinciding(sets),
    options: options(doubling(spec.estimates.unit, sets.flatMap(set => set.data.map(point => point.x))),
      axis(spec.unit, { beginAtZero: false, grace: "8%", ticks: { callback: short } }),
      item => `${item.dataset.label}: ${exact(item.raw.y)} ${spec.unit}, ${exact(item.raw.x)} ${spec.estimates.unit}`)
  };
}

function options(x, y, tip) {
  return { animation: false, responsive: true, maintainAspectRatio: false, color: style("--ink"), scales: { x, y },
           plugins: { legend: { position: "bottom", labels: { usePointStyle: true, boxWidth: 14 } },
                      tooltip: { callbacks: { label: tip } } } };
}

function draw() {
  drawn.splice(0).forEach(chart => chart.destroy());
  byId("charts").replaceChildren();
  data.charts.forEach(spec => combinations(spec.each).forEach(each => {
    const fixed = Object.fromEntries(Object.entries(chosen).filter(([field]) => field !== spec.by));
    const kind = spec.estimates ? estimates : spec.overTime ? overTime : spec.bars ? bars : lines;
    const config = kind(spec, { ...fixed, ...each });
    if (config === null) return;
    const names = Object.entries({ ...fixed, ...each })
      .filter(([field]) => field in chosen || spec.estimates || spec.each.length > 1);
    const about = names.map(([field, value]) => `${headOf(field)} ${String(value).split("/").pop()}`);
    const card = element(byId("charts"), "section", undefined, "card");
    element(card, "h2", [spec.title, about.join(", ")].filter(Boolean).join(": "));
    if (config.remark) element(card, "p", config.remark, "common");
    drawn.push(new Chart(element(element(card, "div", undefined, "canvas"), "canvas"), config));
  }));
  byId("charts").classList.toggle("one", drawn.length === 1);
}

byId("lead").textContent = data.lead;
byId("note").textContent = report.note;
draw();
data.tables.forEach(table);
definitions("options", { ...report.options, ...report.derbyProperties });
definitions("environment", { ...report.environment, clockhand: report.version });
