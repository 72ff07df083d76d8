// The scene: robots with their links and all objects, each of which can be hidden, framed, and leave its path.
import { h, icon, ICONS, name, replace } from "./dom.js";
import { ownerOf } from "./contact.js";
import { Rows } from "./rows.js";

const ROW = 34; // pixels, as the style has it
const MOST_OPEN = 60; // links of an object that are listed from the start

/** `colourOf(name)` is the colour of an object or link in the view, and `frame(name)` turns the view to it. */
export function buildTree(root, payload, store, { colourOf, frame }) {
  const filter = h("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter objects by name",
    spellcheck: "false",
    input: () => show(),
  });
  const all = h(
    "button",
    { type: "button", class: "zoom", click: () => store.set({ hidden: new Set(), paths: new Set() }) },
    "Show all",
  );
  const count = h("span", { class: "count" });
  const list = h("div", { class: "tree", role: "tree", "aria-label": "Objects" });
  const scroller = h("div", { class: "scroll" }, list);
  root.append(h("div", { class: "bar" }, count, all, filter), scroller);
  const closed = new Set();
  let owners = [];
  const rows = new Rows(scroller, list, {
    height: ROW,
    spacer: (height) => {
      const gap = h("div", { "aria-hidden": "true" });
      gap.style.height = `${height}px`;
      return gap;
    },
    make: (entry) => treeRow(entry, { store, colourOf, frame, closed, show: () => show() }),
  });
  const load = () => {
    owners = ownersOf(payload.programs[store.values.program].scene);
    closed.clear();
    for (const owner of owners) if (owner.links.length > MOST_OPEN) closed.add(owner.name);
    show();
  };
  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    const matches = (text) => text.toLowerCase().includes(wanted);
    const entries = owners.flatMap((owner) => {
      const links = owner.links.filter((link) => matches(link.name));
      if (!matches(owner.name) && links.length === 0) return [];
      return closed.has(owner.name) && !wanted ? [owner] : [owner, ...links];
    });
    rows.show(entries);
    replace(count, String(owners.length));
  };
  load();
  store.listen((_, changed) => {
    if (changed.has("program")) load();
    else if (changed.has("hidden") || changed.has("paths")) rows.show(rows.entries);
  });
}

/** Returns robots and objects in the order of the world, with the links of robots. */
function ownersOf(scene) {
  const owners = new Map();
  const of = (text) => {
    const key = ownerOf(text);
    if (!owners.has(key)) owners.set(key, { name: key, links: [], isOwner: true, moves: false });
    return owners.get(key);
  };
  const links = new Map();
  for (const { name: text, n, visual } of scene?.bodies ?? []) {
    const owner = of(text);
    owner.moves ||= n > 1;
    if (text === owner.name) continue;
    if (!links.has(text))
      owner.links.push(links.set(text, { name: text, hasShape: true, isOnlyShown: true, moves: false }).get(text));
    links.get(text).moves ||= n > 1;
    links.get(text).isOnlyShown &&= Boolean(visual);
  }
  for (const robot of scene?.robots ?? []) {
    for (const text of robot.links) {
      if (links.has(text)) links.get(text).moves = true;
      else of(text).links.push({ name: text, hasShape: false, moves: true });
    }
  }
  return [...owners.values()];
}

function treeRow(entry, { store, colourOf, frame, closed, show }) {
  const { hidden, paths } = store.values;
  const isRobot = entry.isOwner && entry.links.length > 0;
  const isHidden = hidden.has(entry.name) || (!entry.isOwner && hidden.has(ownerOf(entry.name)));
  const label = entry.isOwner ? entry.name : entry.name.slice(entry.name.indexOf("/") + 1);
  const dot = h("i", { class: "dot" });
  dot.style.background = colourOf(entry.name) ?? "transparent";
  const open = !closed.has(entry.name);
  const fold = () => {
    if (open) closed.add(entry.name);
    else closed.delete(entry.name);
    show();
  };
  const toggle = (key, on) => {
    const next = new Set(store.values[key]);
    if (on) next.add(entry.name);
    else next.delete(entry.name);
    store.set({ [key]: next });
  };
  const traces = paths.has(entry.name);
  return h(
    "div",
    {
      class: entry.isOwner ? "node" : "node link",
      role: "treeitem",
      "data-object": entry.name,
      "aria-level": entry.isOwner ? 1 : 2,
      "aria-expanded": isRobot && String(open),
    },
    isRobot
      ? h("button", { type: "button", class: "fold", "aria-label": open ? "Fold" : "Unfold", click: fold }, icon(...ICONS[open ? "down" : "right"]))
      : h("span", { class: "fold" }),
    entry.isOwner || entry.hasShape
      ? h(
          "button",
          {
            type: "button",
            class: "eye",
            title: isHidden ? "Show" : "Hide",
            "aria-label": `Show ${entry.name}`,
            "aria-pressed": String(!isHidden),
            disabled: !entry.isOwner && hidden.has(ownerOf(entry.name)),
            click: () => toggle("hidden", !isHidden),
          },
          icon(...ICONS[isHidden ? "hidden" : "eye"]),
        )
      : h("span", { class: "fold" }),
    dot,
    h("button", { type: "button", class: "object", title: "Zoom to it", click: () => frame(entry.name) }, name(label)),
    entry.isOnlyShown && h("span", { class: "note", title: "It has only visual geometry, which was not checked." }, "not checked"),
    entry.moves &&
      !isRobot &&
      h(
        "button",
        {
          type: "button",
          class: "path",
          title: traces ? "Hide the path of its origin" : "Show the path of its origin",
          "aria-label": `Path of ${entry.name}`,
          "aria-pressed": String(traces),
          click: () => toggle("paths", !traces),
        },
        icon(...ICONS.path),
      ),
  );
}
