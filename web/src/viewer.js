// The 3D view with its tools: presets, what is shown, measuring, a link to the moment, and its picture for paper.
import { h, icon, ICONS, replace } from "./dom.js";
import { fragmentOf } from "./link.js";
import { length } from "./format.js";
import { PRESETS, View3D } from "./view/view3d.js";

/** Returns `view()`, null where there is none, and what other parts ask of it. */
export function buildViewer(root, payload, store) {
  const canvas = h("canvas", {
    class: "canvas",
    tabindex: 0,
    "aria-label": "The cell in three dimensions; drag to turn it, scroll to zoom",
  });
  const labels = {
    distance: h("span", { class: "label distance", hidden: true }),
    name: h("span", { class: "label name", hidden: true }),
    measure: h("span", { class: "label measured", hidden: true }),
  };
  const scale = h("span", { class: "scale" });
  const stage = h("div", { class: "stage" }, canvas, labels.distance, labels.name, labels.measure, scale);
  root.append(stage);
  let view = null;
  const current = () => payload.programs[store.values.program];
  const load = () => {
    if (!current().scene)
      return refuse(
        stage,
        "This report was made without the shapes and poses of the cell, so there is no 3D view. keepclear verify CELL --html FILE writes a page with one; in Python, verify(..., scene=True) adds it.",
      );
    try {
      view ??= new View3D(canvas, labels, payload, (triangles) => (document.body.dataset.drawnTriangles = triangles));
    } catch {
      return refuse(
        stage,
        "WebGL is not available in this browser, so there is no 3D view. Everything else on this page works.",
      );
    }
    stage.classList.remove("missing");
    stage.querySelector(".empty")?.remove();
    replace(scale, `grid ${length(view.load(current(), store.values))}`);
    offer();
  };
  // A button without an effect is not there: visual shapes that no link has, the pose at contact where nothing moves.
  const offer = () => {
    stage.querySelector("[data-toggle=visual]")?.toggleAttribute("hidden", !view.hasVisuals);
    const { t0, t1, pairs } = current().report;
    const hasPoses = t1 > t0 && pairs.some((pair) => pair.contacts.length > 0);
    stage.querySelector("[data-toggle=ghost]")?.toggleAttribute("hidden", !hasPoses);
  };
  load();
  if (view) {
    stage.append(tools(view, store, payload), presets(view));
    offer();
    listenForPaper(view, stage);
    canvas.addEventListener("keydown", (event) => event.key === "Escape" && store.set({ measure: false }));
  }
  store.listen((_, changed) => changed.has("program") && load());
  const shown = () => (current().scene ? view : null);
  return {
    view: shown,
    colourOf: (name) => shown()?.bodies.colourOf(name),
    frame: (name) => shown()?.frame(name),
  };
}

function refuse(stage, text) {
  stage.classList.add("missing");
  stage.querySelector(".empty")?.remove();
  stage.append(h("p", { class: "empty", role: "note" }, text));
}

/** Draws the view as a picture before the page is printed: a canvas would be empty on paper. */
function listenForPaper(view, stage) {
  const paper = stage.appendChild(h("img", { class: "paper", alt: "The cell at the time that was shown" }));
  window.addEventListener("beforeprint", () => (paper.src = view.picture(1400, 620)));
}

function tools(view, store, payload) {
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
  const action = (label, paths, click, attributes = {}) =>
    h("button", { type: "button", title: label, "aria-label": label, click, ...attributes }, icon(...paths));
  const copy = action("Copy a link to this moment", ICONS.link, () => copyLink(copy, store, payload), {
    "data-action": "link",
  });
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    action("Zoom to the selected pair", ICONS.target, () => view.focus()),
    toggle("xray", "Make all but the selected pair transparent", ICONS.xray),
    toggle("ghost", "Show the pose at contact", ICONS.ghost),
    toggle("visual", "Show visual shapes, which were not checked", ICONS.shape),
    toggle("grid", "Show the grid", ICONS.grid),
    toggle("measure", "Measure between two points", ICONS.ruler),
    copy,
  );
}

function presets(view) {
  return h(
    "div",
    { class: "tools presets", role: "toolbar", "aria-label": "Direction of view" },
    Object.entries(PRESETS).map(([name, { label, title }]) =>
      h("button", { type: "button", title, "data-view": name, click: () => view.preset(name) }, label),
    ),
  );
}

async function copyLink(button, store, payload) {
  const address = location.href.replace(/#.*/, "") + fragmentOf(store.values, payload.programs);
  history.replaceState(null, "", address.slice(address.indexOf("#")));
  let done = "The address of this page now leads to this moment";
  try {
    await navigator.clipboard.writeText(address);
    done = "Copied";
  } catch {
    // a page from disk may not write to the clipboard: the address bar has the link
  }
  button.title = done;
  button.dataset.done = done;
  setTimeout(() => delete button.dataset.done, 2500);
}
