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
  target: ["M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9", "M12 3v4", "M12 17v4", "M3 12h4", "M17 12h4"],
};
