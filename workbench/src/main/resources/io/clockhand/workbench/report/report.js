// What the pages of all commands share; the report lies in the element "data".
"use strict";
const report = JSON.parse(document.getElementById("data").textContent);
const PALETTE = ["#8792a2", "#1f77d0", "#e07b00", "#2a9d5c", "#9b4dca", "#c2344d"];
const caches = report.options.caches;
const terminals = report.options.terminals;
const colour = cache => PALETTE[caches.indexOf(cache) % PALETTE.length];
const count = value => value == null ? "–" : Math.round(value).toLocaleString("en-US");
const fixed = (value, digits) => value == null ? "–" : value.toFixed(digits);
const millis = micros => micros == null ? "–" : (micros / 1000).toFixed(micros < 10000 ? 2 : 1);
const range = (spread, format) => spread === null ? "–" : `${format(spread.min)} – ${format(spread.max)}`;
const plural = n => n + (n === 1 ? " terminal" : " terminals");

function text(id, content) { document.getElementById(id).textContent = content; }

function table(id, header, rows) {
  const fill = (row, cells, tag) => cells.forEach(cell => {
    const element = row.appendChild(document.createElement(tag));
    const bad = cell !== null && typeof cell === "object";
    element.textContent = bad ? cell.bad : cell;
    if (bad) element.className = "bad";
  });
  const body = document.getElementById(id);
  fill(body.insertRow(), header, "th");
  rows.forEach(cells => fill(body.insertRow(), cells, "td"));
}

function definitions(id, entries) {
  const list = document.getElementById(id);
  Object.entries(entries).forEach(([name, value]) => {
    list.appendChild(document.createElement("dt")).textContent = name;
    list.appendChild(document.createElement("dd")).textContent =
      value === null ? "–" : Array.isArray(value) ? value.join(", ") : String(value);
  });
}

/** Draws the single runs of a bar as points over it. */
const points = valuesOf => ({
  id: "points",
  afterDatasetsDraw(chart) {
    chart.data.datasets.forEach((dataset, i) => chart.getDatasetMeta(i).data.forEach((bar, j) => {
      const values = valuesOf(dataset.label, terminals[j]);
      values.forEach((value, k) => {
        const spread = bar.width * 0.3;
        const x = values.length === 1 ? bar.x : bar.x - spread + 2 * spread * k / (values.length - 1);
        chart.ctx.beginPath();
        chart.ctx.arc(x, chart.scales.y.getPixelForValue(value), 4, 0, 2 * Math.PI);
        chart.ctx.fillStyle = "#fff";
        chart.ctx.fill();
        chart.ctx.lineWidth = 2;
        chart.ctx.strokeStyle = dataset.borderColor;
        chart.ctx.stroke();
      });
    }));
  }
});

function bars(id, shown, valueOf, valuesOf, format, options) {
  const style = getComputedStyle(document.documentElement);
  const all = shown.flatMap(cache => terminals.flatMap(n => valuesOf(cache, n)));
  const highest = Math.max(...all, options.line || 0, 0);
  new Chart(document.getElementById(id), {
    type: "bar",
    data: {
      labels: terminals.map(plural),
      datasets: shown.map(cache => ({
        label: cache, data: terminals.map(n => valueOf(cache, n)),
        backgroundColor: colour(cache) + "b0", borderColor: colour(cache), borderWidth: 1, borderRadius: 3,
        maxBarThickness: 72
      }))
    },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false,
      color: style.getPropertyValue("--ink"),
      scales: {
        x: { grid: { display: false }, ticks: { color: style.getPropertyValue("--ink") } },
        y: { beginAtZero: true, suggestedMax: highest * 1.08, title: { display: true, text: options.title,
             color: style.getPropertyValue("--soft") },
             grid: { color: style.getPropertyValue("--line") },
             ticks: { color: style.getPropertyValue("--soft"), callback: value => format(value) } }
      },
      plugins: { legend: { position: "bottom", labels: { boxWidth: 14 } },
                 tooltip: { callbacks: { label: item => item.dataset.label + ": " + format(item.raw) } } }
    },
    plugins: [points(valuesOf), ...(options.line ? [line(options.line)] : [])]
  });
}

const line = value => ({
  id: "line",
  beforeDatasetsDraw(chart) {
    const y = chart.scales.y.getPixelForValue(value);
    chart.ctx.save();
    chart.ctx.setLineDash([5, 4]);
    chart.ctx.strokeStyle = PALETTE[0];
    chart.ctx.beginPath();
    chart.ctx.moveTo(chart.chartArea.left, y);
    chart.ctx.lineTo(chart.chartArea.right, y);
    chart.ctx.stroke();
    chart.ctx.restore();
  }
});

/**
 * Two charts of one figure of the entries chosen: medians with every run as a point, and the ratios of paired runs to
 * Derby's own cache, if it ran beside others.
 */
function compare(throughput, ratio, figure, title, chosen = () => true) {
  const summary = (cache, n) => report.summary.find(s => s.cache === cache && s.terminals === n && chosen(s));
  const runs = (cache, n) => report.runs.filter(r => r.cache === cache && r.terminals === n && chosen(r));
  bars(throughput, caches, (cache, n) => summary(cache, n)[figure] && summary(cache, n)[figure].median,
    (cache, n) => runs(cache, n).map(r => r[figure]).filter(v => v !== null), count, { title });
  const others = caches.filter(cache => cache !== "derby");
  if (others.length > 0 && caches.includes("derby")) {
    const ratios = (cache, n) => runs(cache, n).flatMap(run => {
      const pair = runs("derby", n).find(derby => derby.repeat === run.repeat);
      return pair && pair[figure] && run[figure] !== null ? [run[figure] / pair[figure]] : [];
    });
    bars(ratio, others, (cache, n) => summary(cache, n).ratioToDerby && summary(cache, n).ratioToDerby.median,
      ratios, value => fixed(value, 2), { title: `times Derby’s ${title}`, line: 1 });
  } else {
    const card = document.getElementById(ratio).closest(".card");
    card.parentElement.style.gridTemplateColumns = "1fr";
    card.remove();
  }
}
