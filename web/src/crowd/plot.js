// Contacts per second over time: bars for members, a line for walls; a click chooses the time.
import uPlot from "uplot";
import { h, replace } from "../dom.js";
import { seconds, shortSeconds } from "../format.js";
import { axisStyle, coloursOf, listenToPlot, sizeOf, stroked } from "../plot.js";

export function buildPlot(root, payload, store) {
  const { curve } = payload;
  const width = (curve.t1 - curve.t0) / curve.contacts.length;
  const title = curve.per_second
    ? payload.words.plot
    : `${payload.words.plot}, in each ${shortSeconds(width, 2)}`;
  const now = h("p", { class: "now" });
  const holder = h("div", { class: "plot", role: "img", "aria-label": `${title} over time` });
  const legend = h(
    "p",
    { class: "legend" },
    h("span", {}, h("i", { class: "floor" }), payload.words.members),
    curve.walls.some((rate) => rate > 0) && h("span", {}, h("i", { class: "walls" }), payload.words.walls),
  );
  root.append(h("div", { class: "bar" }, h("h2", {}, title), now), holder, legend);
  let chart = null;
  const load = () => {
    chart?.destroy();
    chart = drawn(holder, curve, store);
  };
  const show = ({ time }) => {
    const bin = Math.floor(((time - curve.t0) / (curve.t1 - curve.t0)) * curve.contacts.length);
    const rate = curve.contacts[Math.min(Math.max(bin, 0), curve.contacts.length - 1)] ?? 0;
    const at = seconds(time, curve.t1 - curve.t0);
    replace(now, `${Math.round(rate).toLocaleString("en")} ${curve.per_second ? "per second " : ""}at ${at}`);
    chart?.redraw(false);
  };
  load();
  show(store.values);
  store.listen((values, changed) => changed.has("time") && show(values));
  new ResizeObserver(() => chart?.setSize(sizeOf(holder))).observe(holder);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", load);
}

function drawn(holder, curve, store) {
  const n = curve.contacts.length;
  const times = Array.from({ length: n + 1 }, (_, k) => curve.t0 + ((curve.t1 - curve.t0) * k) / n);
  const steps = (rates) => [...rates, rates[n - 1]];
  const top = Math.max(...curve.contacts, ...curve.walls, 1);
  const colour = coloursOf(holder);
  const line = { points: { show: false }, width: 1.5, paths: uPlot.paths.stepped({ align: 1 }) };
  const chart = new uPlot(
    {
      ...sizeOf(holder),
      padding: [8, 22, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: { x: { time: false, range: () => [curve.t0, curve.t1] }, y: { range: [0, 1.08 * top] } },
      axes: [
        {
          ...axisStyle(colour),
          size: 28,
          space: 60,
          values: (_, ticks) => ticks.map((t) => shortSeconds(t)),
        },
        {
          ...axisStyle(colour),
          size: 58,
          space: 28,
          incrs: [
            1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7, 1e8,
          ],
          values: (_, ticks) => ticks.map((y) => `${y.toLocaleString("en")}${curve.per_second ? " /s" : ""}`),
        },
      ],
      series: [
        {},
        { ...line, stroke: () => colour("--accent"), fill: () => colour("--floor-fill") },
        { ...line, stroke: () => colour("--muted") },
      ],
      hooks: {
        draw: [
          ({ ctx, bbox, valToPos }) => {
            const x = Math.round(valToPos(store.values.time, "x", true));
            ctx.save();
            stroked(
              ctx,
              colour("--text"),
              1.5 * devicePixelRatio,
              [],
              [x, bbox.top],
              [x, bbox.top + bbox.height],
            );
            ctx.restore();
          },
        ],
      },
    },
    [times, steps(curve.contacts), steps(curve.walls)],
    holder,
  );
  listenToPlot(chart, store, curve);
  return chart;
}
