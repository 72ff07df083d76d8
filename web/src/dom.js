// Elements made from code: texts are always text, so no name in a report can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element with attributes (functions become listeners, true and false set and omit) and children. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Returns an icon of 24 x 24 whose paths are drawn as lines. */
export function icon(...paths) {
  const root = filled(
    document.createElementNS(SVG, "svg"),
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    [],
  );
  for (const d of paths) root.append(filled(document.createElementNS(SVG, "path"), { d }, []));
  return root;
}

/** Returns a name that may break after its separators. */
export function name(text, attributes = {}) {
  const parts = text.split(/(?<=[/_.-])/);
  return h(
    "span",
    attributes,
    parts.flatMap((part, i) => (i === 0 ? [part] : [document.createElement("wbr"), part])),
  );
}

/** Puts children in the place of all that an element has. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

export const ICONS = {
  CLEAR: ["M5 12.5l4.5 4.5L19 7.5"],
  COLLIDING: ["M6.5 6.5l11 11", "M17.5 6.5l-11 11"],
  UNDECIDED: ["M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1.1-1.4 2.1", "M12 17.4v.2"],
  play: ["M8 5.5v13l10.5-6.5z"],
  pause: ["M8.5 5.5v13", "M15.5 5.5v13"],
  back: ["M18 5.5v13l-9-6.5z", "M6 5.5v13"],
  on: ["M6 5.5v13l9-6.5z", "M18 5.5v13"],
  home: ["M4 11.5l8-7 8 7", "M6.5 10v9h11v-9"],
  ghost: ["M6 19v-9a6 6 0 0 1 12 0v9l-3-2-3 2-3-2z", "M10 10.5v.2", "M14 10.5v.2"],
  xray: ["M4 8.5l8-4.5 8 4.5v7l-8 4.5-8-4.5z", "M4 8.5l8 4.5 8-4.5", "M12 13v7"],
  grid: ["M4 4h16v16H4z", "M4 12h16", "M12 4v16"],
  eye: ["M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6z", "M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5"],
  hidden: ["M4 4l16 16", "M6.5 7.8C4 9.5 2.5 12 2.5 12s3.500 6 9.500 6c1.600 0 3-.4 4.200-1", "M10 6.200c.6-.1 1.300-.2 2-.2 6 0 9.500 6 9.500 6s-.9 1.500-2.500 3"],
  path: ["M4 18c4 0 4-12 8-12s4 12 8 12", "M20 18v.2"],
  down: ["M7 10l5 5 5-5"],
  right: ["M10 7l5 5-5 5"],
  ruler: ["M3 16L16 3l5 5L8 21z", "M8 11l2 2", "M11 8l3 3", "M14 5l2 2"],
  link: ["M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1", "M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"],
  shape: ["M12 3l8 4.500v9L12 21l-8-4.500v-9z", "M4 7.500l16 9", "M20 7.500l-16 9"],
  target: ["M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9", "M12 3v4", "M12 17v4", "M3 12h4", "M17 12h4"],
};
