// The page of a crowd: reads what it holds, builds its parts, and tells the document what is shown.
import { h, icon, ICONS, replace } from "../dom.js";
import { buildTransport } from "../transport.js";
import { length } from "../format.js";
import { readPacked } from "../payload.js";
import { Store } from "../store.js";
import { gradient } from "./colours.js";
import { Events } from "./events.js";
import { buildList } from "./list.js";
import { Motion } from "./motion.js";
import { buildPlot } from "./plot.js";
import { CrowdView, sizes } from "./view.js";

const BOUNDS = [
  "M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6",
  "M12 3a9 9 0 0 1 5.8 2.1",
  "M21 12a9 9 0 0 1-2.1 5.8",
  "M12 21a9 9 0 0 1-5.8-2.1",
  "M3 12a9 9 0 0 1 2.1-5.8",
];
const FLASH = ["M13 3L5 13.5h6L10.5 21L19 10.5h-6z"];

const MODES = {
  impacts: { plot: "Contacts", red: "has just touched another" },
  passing: { plot: "Overlaps that begin", red: "overlaps another" },
  observed: { plot: "Contacts that become possible", red: "may touch another" },
};

export async function start() {
  const root = document.getElementById("keepclear");
  let payload, motion, events;
  try {
    payload = await readCrowd();
    [motion, events] = [new Motion(payload), new Events(payload)];
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
  const store = new Store({
    time: events.n > 0 ? Math.min(Math.max(events.time[0], motion.t0), motion.t1) : motion.t0,
    playing: false,
    speed: 1,
    bounds: payload.show_bounds,
    colour: "size",
    flashes: true,
    pair: events.n > 0 ? [events.rowI[0], events.rowJ[0]] : null,
  });
  replace(root);
  buildHeader(root, payload);
  const [left, right] = [
    h("div", { class: "left" }),
    h("section", { class: "card side", "aria-label": "Events" }),
  ];
  const [moving, plot] = [
    h("section", { class: "card motion", "aria-label": "Motion" }),
    h("section", { class: "card clearances", "aria-label": payload.words.plot }),
  ];
  left.append(moving, plot);
  root.append(h("main", {}, left, right));
  const view = buildView(moving, payload, motion, events, store);
  buildTransport(moving, store, {
    span: () => motion,
    marks: () => [],
    frames: () => motion.times,
  });
  buildPlot(plot, payload, store);
  buildList(right, payload, events, store);
  buildDetails(root, payload, motion);
  listenToKeys(store, view);
  tell(store, motion, events, view);
  document.body.dataset.ready = "true";
}

async function readCrowd() {
  const { payload, array } = await readPacked();
  for (const name of ["ids", "radii", "times"]) payload[name] = array(payload[name]);
  payload.names ??= Array.from(payload.ids, String);
  payload.positions = payload.positions.map(array);
  if (payload.present) payload.present = array(payload.present);
  if (payload.bounds) payload.bounds.numbers = payload.bounds.numbers.map(array);
  for (const name of ["time", "i", "j", "kind", "position"])
    payload.events[name] = array(payload.events[name]);
  for (const name of ["contacts", "walls"]) payload.curve[name] = array(payload.curve[name]);
  const noun = payload.dimensions === 2 ? "disc" : "sphere";
  payload.words = {
    noun,
    members: `of ${noun}s with each other`,
    walls: "with walls",
    ...MODES[payload.mode],
  };
  return payload;
}

function buildHeader(root, { title, sentence, facts }) {
  root.append(
    h(
      "header",
      { class: "verdict crowd", role: "banner" },
      h("div", { class: "words" }, h("h1", {}, title), h("p", { class: "sentence" }, sentence)),
      facts.length > 0 &&
        h(
          "dl",
          { class: "facts" },
          facts.slice(0, 6).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        ),
    ),
  );
}

function buildView(root, payload, motion, events, store) {
  const canvas = h("canvas", {
    class: "canvas",
    tabindex: 0,
    "aria-label": `The ${payload.words.noun}s in motion; drag to ${motion.d === 2 ? "move" : "turn"} the view, scroll to zoom`,
  });
  const label = h("span", { class: "label name", hidden: true });
  const stage = h("div", { class: "stage" }, canvas, label);
  root.append(stage);
  let view;
  try {
    view = new CrowdView(
      canvas,
      label,
      motion,
      events,
      payload.box,
      payload.names,
      (triangles) => (document.body.dataset.drawnTriangles = triangles),
    );
  } catch {
    stage.classList.add("missing");
    stage.append(
      h(
        "p",
        { class: "empty", role: "note" },
        "WebGL is not available in this browser, so the crowd is not drawn. Everything else on this page works.",
      ),
    );
    return null;
  }
  stage.append(toolbar(view, payload, store));
  root.append(buildLegend(payload, motion, store));
  return view;
}

function toolbar(view, payload, store) {
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
    store.listen((values, changed) => {
      if (changed.has(name)) button.setAttribute("aria-pressed", String(values[name]));
    });
    return button;
  };
  const colour = h(
    "select",
    { "aria-label": "Colour", title: "Colour (c)", change: () => store.set({ colour: colour.value }) },
    h("option", { value: "size" }, "by size"),
    h("option", { value: "speed" }, "by speed"),
  );
  store.listen((values) => (colour.value = values.colour));
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    colour,
    h(
      "button",
      { type: "button", title: "Show all (a)", "aria-label": "Show all", click: () => view.reset() },
      icon(...ICONS.home),
    ),
    toggle("flashes", "Contacts (f)", FLASH),
    payload.bounds && toggle("bounds", "Time-varying bounds (b)", BOUNDS),
  );
}

/** Returns what the colours and signs of the view mean. */
function buildLegend(payload, motion, store) {
  const bar = h("i", { class: "ramp" });
  bar.style.background = gradient();
  const [low, high] = [h("span", {}), h("span", {})];
  const short = (value) => Number(value.toPrecision(3)).toLocaleString("en");
  const bounds = h("span", { class: "bounds" }, h("i", { class: "bound" }), h("span", { class: "growth" }));
  const flashes = h("span", {}, h("i", { class: "hit" }), payload.words.red);
  const show = ({ colour, bounds: bounded, flashes: flashing }) => {
    const [from, to] = colour === "speed" ? [0, motion.topSpeed] : sizes(motion);
    const [what, unit] = colour === "speed" ? ["speed", "m/s and more"] : ["radius", "m"];
    const same = !(to > from);
    replace(low, same ? `${what} ${short(to)} m` : `${what} ${short(from)}`);
    replace(high, same ? "" : `${short(to)} ${unit}`);
    bar.hidden = same;
    bounds.hidden = !bounded;
    flashes.hidden = !flashing;
  };
  show(store.values);
  store.listen(show);
  return h(
    "p",
    { class: "legend colours" },
    h("span", {}, low, bar, high),
    flashes,
    bounds,
    motion.present && h("span", { class: "note" }, "some come and go"),
  );
}

function buildDetails(root, payload, motion) {
  const rate = Number(payload.rate.toPrecision(3));
  const notes = [
    `${payload.times.length.toLocaleString("en")} frames, ${rate} a second; between frames members are drawn on straight lines, so that a bounce may appear up to ${1 / rate < 0.1 ? "a few hundredths of a second" : "a frame"} early or late.`,
    "Times of events are exact; they do not depend on frames.",
    payload.shapes > 0 &&
      `${payload.shapes.toLocaleString("en")} of them have a shape inside. Their spheres are drawn; contacts are those of the shapes.`,
    payload.bounds
      ? "A bound holds every position that a member can have reached since its last observation, given its greatest acceleration. It grows until the next observation."
      : "Bounds were not recorded.",
    payload.events.all > payload.events.time.length &&
      `The list has the first ${payload.events.time.length.toLocaleString("en")} of ${payload.events.all.toLocaleString("en")} events; the plot has all of them.`,
    "Keys: space plays and pauses, arrows step, Home and End, b bounds, f contacts, c colour, a shows all.",
  ];
  const rows = payload.statistics.map(([name, count, rate]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, count.toLocaleString("en")),
      h("td", {}, rate === null ? "" : Math.round(rate).toLocaleString("en")),
    ),
  );
  root.append(
    h(
      "div",
      { class: "details" },
      h(
        "details",
        { open: true },
        h("summary", {}, "About this page"),
        h(
          "ul",
          {},
          notes.filter(Boolean).map((text) => h("li", {}, text)),
        ),
      ),
      h(
        "details",
        { class: "numbers" },
        h("summary", {}, "Events by kind, and effort"),
        h(
          "table",
          {},
          h(
            "tr",
            {},
            ["", "number", "per second"].map((text) => h("th", { scope: "col" }, text)),
          ),
          rows,
        ),
      ),
      payload.facts.length > 6 &&
        h(
          "details",
          {},
          h("summary", {}, "More"),
          h(
            "dl",
            { class: "rows" },
            payload.facts
              .slice(6)
              .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
          ),
        ),
      motion.n === 0 && h("p", { class: "empty" }, "The crowd has no members."),
    ),
  );
}

function listenToKeys(store, view) {
  const actions = {
    b: () => store.set({ bounds: !store.values.bounds }),
    c: () => store.set({ colour: store.values.colour === "size" ? "speed" : "size" }),
    f: () => store.set({ flashes: !store.values.flashes }),
    a: () => view?.reset(),
    Escape: () => store.set({ pair: null }),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input:not([type=range]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    actions[event.key]?.();
  });
}

/** Keeps the document's data- attributes at what is shown, for tests and for other programs. */
function tell(store, motion, events, view) {
  const growth = document.querySelector(".growth");
  const show = (values) => {
    const shown = view?.show(values) ?? { frame: motion.frameAt(values.time), overlapping: "", glowing: "" };
    if (growth && shown.growth != null)
      replace(growth, `bounds, ${length(shown.growth)} larger than their members on average`);
    Object.assign(document.body.dataset, {
      time: values.time.toFixed(6),
      frame: shown.frame,
      playing: values.playing,
      bounds: values.bounds,
      colour: values.colour,
      events: events.countUntil(values.time),
      overlapping: shown.overlapping,
      glowing: shown.glowing,
      chosen: (values.pair ?? []).join(" "),
    });
  };
  show(store.values);
  store.listen(show);
}
