// The page of a report: reads what it holds, builds its parts, and keeps the document at what is shown.
import { h, replace } from "./dom.js";
import { buildDetails } from "./details.js";
import { buildHeader } from "./header.js";
import { buildJoints, hasJoints } from "./joints.js";
import { buildLanes, pairsWithEvents } from "./lanes.js";
import { buildPaper } from "./paper.js";
import { buildPlot } from "./plot.js";
import { buildTable } from "./table.js";
import { buildTabs } from "./tabs.js";
import { buildTransport } from "./transport.js";
import { buildTree } from "./tree.js";
import { buildViewer } from "./viewer.js";
import { keepAddress, readFragment } from "./link.js";
import { readPayload } from "./payload.js";
import { buildSteps, stepAt } from "./steps.js";
import { Store } from "./store.js";
import { joinedSpans, momentOf, urgency } from "./contact.js";

export async function start() {
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
  const { programs } = payload;
  const linked = readFragment(location.hash, programs);
  const worst = programs.findIndex(({ report }) => report.verdict === payload.overall.verdict);
  const program = linked.program ?? Math.max(worst, 0);
  const store = new Store({
    program,
    ...opening(programs[program]),
    ...linked,
    playing: false,
    speed: 1,
    ghost: true,
    grid: true,
    xray: false,
    visual: true,
    measure: false,
    hidden: new Set(),
    paths: new Set(),
  });
  replace(root);
  const open = (i) =>
    store.set({ program: i, playing: false, hidden: new Set(), paths: new Set(), ...opening(programs[i]) });
  buildHeader(root, payload, store, open);
  const [left, right] = [
    h("div", { class: "left" }),
    h("section", { class: "card side", "aria-label": "Pairs and scene" }),
  ];
  const [motion, clearances] = [
    h("section", { class: "card motion", "aria-label": "Motion" }),
    h("section", { class: "card clearances", "aria-label": "Over time" }),
  ];
  left.append(motion, clearances);
  root.append(h("main", {}, left, right));
  const viewer = buildViewer(motion, payload, store);
  const source = timeSource(payload, store);
  buildTransport(motion, store, source);
  buildSteps(motion, store, source);
  buildPanels(clearances, payload, store);
  buildSide(right, payload, store, viewer);
  buildDetails(root, payload, store);
  buildPaper(root, payload, store);
  tell(store, payload, viewer);
  keepAddress(store, programs, open);
  document.body.dataset.ready = "true";
}

/** Builds what shows time: the distance of a pair, the least of all, contacts in lanes, and joints. */
function buildPanels(root, payload, store) {
  const [one, all, lanes, joints] = ["one", "all", "lanes", "joints"].map((name) => h("div", { class: `panel ${name}` }));
  const refresh = {};
  const panels = [
    { name: "one", label: "Distance", panel: one },
    { name: "all", label: "All pairs", panel: all },
    { name: "lanes", label: "Contacts", panel: lanes },
    { name: "joints", label: "Joints", panel: joints },
  ];
  const { bar, enable, show } = buildTabs("Over time", panels, (name) => refresh[name]?.());
  root.append(bar, one, all, lanes, joints);
  refresh.one = buildPlot(one, payload, store);
  refresh.all = buildPlot(all, payload, store, { all: true });
  buildLanes(lanes, payload, store);
  refresh.joints = buildJoints(joints, payload, store);
  const offer = () => {
    const program = payload.programs[store.values.program];
    enable("all", program.report.pairs.some((pair) => pair.curve));
    const hasLanes = program.report.t1 > program.report.t0 && pairsWithEvents(program.report).length > 0;
    enable("lanes", hasLanes);
    if (hasLanes && !program.report.pairs.some((pair) => pair.curve)) show("lanes"); // there is no curve to show
    enable("joints", hasJoints(program));
  };
  offer();
  store.listen((_, changed) => changed.has("program") && offer());
}

/** Builds the table of pairs, and beside it the tree of the scene. */
function buildSide(root, payload, store, viewer) {
  const [pairs, scene] = [h("div", { class: "panel" }), h("div", { class: "panel" })];
  const { bar, enable } = buildTabs("Pairs and scene", [
    { name: "pairs", label: "Pairs", panel: pairs },
    { name: "scene", label: "Scene", panel: scene },
  ]);
  root.append(bar, pairs, scene);
  buildTable(pairs, payload, store);
  buildTree(scene, payload, store, viewer);
  const offer = () => enable("scene", viewer.view() != null);
  offer();
  store.listen((_, changed) => changed.has("program") && offer());
}

/** Returns what the controls of time need to know of the program that is shown. */
function timeSource(payload, store) {
  const program = () => payload.programs[store.values.program];
  return {
    span: () => shownSpan(program().report),
    steps: () => program().report.sampling,
    marks: () =>
      joinedSpans(program().report.pairs, program().report),
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

/** Keeps the document's data- attributes at what is shown, for tests and for other programs. */
function tell(store, payload, viewer) {
  const show = (values) => {
    const { report } = payload.programs[values.program];
    const shown = viewer.view()?.show(values);
    const pair = report.pairs[values.pair];
    const touching = shown?.touching ?? [];
    const { classList } = document.getElementById("keepclear");
    classList.toggle("bare", report.pairs.length === 0);
    classList.toggle("still", report.t1 <= report.t0);
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
    document.title = `${report.shown} - ${report.title || payload.overall.title || "keepclear report"}`;
  };
  show(store.values);
  store.listen(show);
}
