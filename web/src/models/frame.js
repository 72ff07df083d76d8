// What pages of models share: the header, a view with its buttons, a table that selects, notes and keys.
import { h, icon, ICONS, name, replace } from "../dom.js";

export function buildHeader(root, { title, sentence, facts, verdict }) {
  root.append(
    h(
      "header",
      { class: "verdict spheres", role: "banner", "data-verdict": verdict },
      verdict && h("span", { class: "badge", "data-verdict": verdict }, icon(...ICONS[verdict])),
      h("div", { class: "words" }, h("h1", {}, title), h("p", { class: "sentence" }, sentence)),
      h(
        "dl",
        { class: "facts" },
        facts.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
      ),
    ),
  );
}

/** Returns the view that `make(canvas, onDraw)` makes, or null; `toggles` are [key of the store, label, icon]. */
export function buildView(root, store, label, toggles, make) {
  const canvas = h("canvas", { class: "canvas", tabindex: 0, "aria-label": label });
  const stage = h("div", { class: "stage" }, canvas);
  root.append(stage);
  let view;
  try {
    view = make(canvas, (triangles) => (document.body.dataset.drawnTriangles = triangles));
  } catch {
    stage.classList.add("missing");
    stage.append(
      h(
        "p",
        { class: "empty", role: "note" },
        "WebGL is not available in this browser, so nothing is drawn. Everything else on this page works.",
      ),
    );
    return null;
  }
  const toggle = (key, label, paths) => {
    const button = h(
      "button",
      {
        type: "button",
        title: label,
        "aria-label": label,
        "aria-pressed": String(store.values[key]),
        "data-toggle": key,
        click: () => store.set({ [key]: !store.values[key] }),
      },
      icon(...paths),
    );
    store.listen((values) => button.setAttribute("aria-pressed", String(values[key])));
    return button;
  };
  stage.append(
    h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "View" },
      h(
        "button",
        { type: "button", title: "Show all (a)", "aria-label": "Show all", click: () => view.reset() },
        icon(...ICONS.home),
      ),
      toggles.map((entry) => toggle(...entry)),
    ),
  );
  return view;
}

/** Fills a table; `choose(k)` is called for a row, and `isChosen(k, values)` says which one is selected. */
export function buildTable(root, payload, store, choose, isChosen) {
  const rows = payload.rows.map((row, k) =>
    h(
      "tr",
      {
        tabindex: 0,
        "data-row": k,
        "data-state": row.state ?? "",
        click: () => choose(k),
        keydown: (event) => event.key === "Enter" && choose(k),
      },
      row.cells.map((cell, c) => h("td", {}, c === 0 && row.colour && swatch(row.colour), c === 0 ? name(cell) : cell)),
    ),
  );
  root.append(
    h("div", { class: "bar" }, h("h2", {}, payload.table_title), h("span", { class: "count" }, rows.length)),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "pairs sphere-rows" },
        h("thead", {}, h("tr", {}, payload.columns.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows),
      ),
    ),
  );
  const show = (values) => {
    rows.forEach((element, k) => element.setAttribute("aria-selected", String(isChosen(k, values))));
  };
  show(store.values);
  store.listen(show);
}

function swatch(colour) {
  const mark = h("i", { class: "swatch" });
  mark.style.background = colour;
  return mark;
}

export function buildNotes(root, notes, keys) {
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
          notes.map((text) => h("li", {}, text)),
          h("li", {}, `Keys: ${keys}.`),
        ),
      ),
    ),
  );
}

export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.target.matches?.("input, select, textarea, canvas")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    actions[event.key]?.();
  });
}
