// The page of a report: reads what it holds, builds its parts, and tells the document what is shown.
import "./viewer.css";
import { h, icon, ICONS, replace } from "./dom.js";
import { buildDetails } from "./details.js";
import { buildHeader } from "./header.js";
import { buildPlot } from "./plot.js";
import { buildTable, momentOf } from "./table.js";
import { buildTransport } from "./transport.js";
import { length } from "./format.js";
import { readPayload } from "./payload.js";
import { buildSteps, stepAt } from "./steps.js";
import { Store } from "./store.js";
import { contactSpans, urgency } from "./contact.js";
import { View3D } from "./view/view3d.js";

async function start() {
  const root = document.getElementById("keepclear");
  let payload;
  try {
    payload = await readPayload();
  } catch (error) {
    root.append(
      h(
        "p",
        { class: "failure", role: "alert" },
        `The rest of this page cannot be shown: this browser is too old, or the file is damaged (${error.message}).`,
      ),
    );
    return;
  }
  const worst = payload.programs.findIndex(({ report }) => report.verdict === payload.overall.verdict);
  const program = Math.max(worst, 0);
  const store = new Store({
    program,
    ...opening(payload.programs[program]),
    playing: false,
    speed: 1,
    ghost: true,
    grid: true,
    xray: false,
  });
  replace(root);
  const open = (i) => store.set({ program: i, playing: false, ...opening(payload.programs[i]) });
  buildHeader(root, payload, store, open);
  const [left, right] = [
    h("div", { class: "left" }),
    h("section", { class: "card side", "aria-label": "Pairs" }),
  ];
  const [motion, clearances] = [
    h("section", { class: "card motion", "aria-label": "Motion" }),
    h("section", { class: "card clearances", "aria-label": "Clearance over time" }),
  ];
  left.append(motion, clearances);
  root.append(h("main", {}, left, right));
  const view = buildView(motion, payload, store);
  const source = timeSource(payload, store);
  buildTransport(motion, store, source);
  buildSteps(motion, store, source);
  buildPlot(clearances, payload, store);
  buildTable(right, payload, store);
  buildDetails(root, payload, store);
  tell(store, payload, view);
  document.body.dataset.ready = "true";
}

/** Returns what the controls of time need to know of the program that is shown. */
function timeSource(payload, store) {
  const program = () => payload.programs[store.values.program];
  return {
    span: () => shownSpan(program().report),
    steps: () => program().report.sampling,
    marks: () => program().report.pairs.flatMap((pair) => contactSpans(pair, program().report)),
    frames: () => program().scene?.times,
  };
}

/** Returns from when to when a program is shown: a simulation until its last step. */
function shownSpan({ t0, t1, sampling }) {
  return sampling ? { t0, t1: sampling.times.at(-1) ?? t0 } : { t0, t1 };
}

/** Returns what a program shows first: its first contact, or the pair that comes closest, at that moment. */
function opening({ report }) {
  const order = report.pairs.map((pair, i) => ({ i, key: urgency(pair) }));
  order.sort((x, y) => x.key[0] - y.key[0] || x.key[1] - y.key[1]);
  const pair = order[0]?.i ?? -1;
  const moment = pair < 0 ? null : momentOf(report.pairs[pair]);
  return { pair, time: moment ?? report.t0 };
}

function buildView(root, payload, store) {
  const canvas = h("canvas", {
    class: "canvas",
    tabindex: 0,
    "aria-label": "The cell in three dimensions; drag to turn it, scroll to zoom",
  });
  const labels = {
    distance: h("span", { class: "label distance", hidden: true }),
    name: h("span", { class: "label name", hidden: true }),
  };
  const scale = h("span", { class: "scale" });
  const stage = h("div", { class: "stage" }, canvas, labels.distance, labels.name, scale);
  root.append(stage);
  let view = null;
  const load = () => {
    const program = payload.programs[store.values.program];
    if (!program.scene)
      return refuse(
        stage,
        "This report was made without the shapes and poses of the cell, so there is no 3D view. verify(..., scene=True) adds them.",
      );
    try {
      view ??= new View3D(
        canvas,
        labels,
        payload,
        (triangles) => (document.body.dataset.drawnTriangles = triangles),
      );
    } catch {
      return refuse(
        stage,
        "This browser shows no WebGL, so there is no 3D view here. Everything else on this page works.",
      );
    }
    stage.classList.remove("missing");
    stage.querySelector(".empty")?.remove();
    replace(scale, `grid ${length(view.load(program, store.values))}`);
  };
  load();
  if (view) stage.append(toolbar(view, store));
  store.listen((_, changed) => changed.has("program") && load());
  return () => (payload.programs[store.values.program].scene ? view : null);
}

function refuse(stage, text) {
  stage.classList.add("missing");
  stage.querySelector(".empty")?.remove();
  stage.append(h("p", { class: "empty", role: "note" }, text));
}

function toolbar(view, store) {
  const toggle = (name, label, paths) => {
    const button = h(
      "button",
      {
        type: "button",
        title: label,
        "aria-label": label,
        "aria-pressed": String(store.values[name]),
        "data-toggle": name,
        click: () => store.set({ [name]: !store.values[name] }),
      },
      icon(...paths),
    );
    store.listen(
      (values, changed) => changed.has(name) && button.setAttribute("aria-pressed", String(values[name])),
    );
    return button;
  };
  const action = (label, paths, click) =>
    h("button", { type: "button", title: label, "aria-label": label, click }, icon(...paths));
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    action("Show all", ICONS.home, () => view.reset()),
    action("Look at the selected pair", ICONS.target, () => view.focus()),
    toggle("xray", "See through all but the selected pair", ICONS.xray),
    toggle("ghost", "Pose at contact", ICONS.ghost),
    toggle("grid", "Grid", ICONS.grid),
  );
}

/** Keeps the document's data- attributes at what is shown, for tests and for other programs. */
function tell(store, payload, view) {
  const show = (values) => {
    const { report } = payload.programs[values.program];
    const shown = view()?.show(values);
    const pair = report.pairs[values.pair];
    const touching = shown?.touching ?? [];
    document.getElementById("keepclear").classList.toggle("bare", report.pairs.length === 0);
    Object.assign(document.body.dataset, {
      verdict: report.verdict,
      program: report.program,
      time: values.time.toFixed(6),
      frame: shown?.frame ?? "",
      playing: values.playing,
      step: report.sampling?.steps[stepAt(report.sampling, values.time)] ?? "",
      selectedPair: pair ? `${pair.a} - ${pair.b}` : "",
      contact: touching.map(({ a, b }) => `${a} - ${b}`).join("; "),
    });
    document.title = `${report.verdict} - ${report.title || payload.overall.title || "keepclear report"}`;
  };
  show(store.values);
  store.listen(show);
}

start();
