// Calm colours, one for each object; red and amber are kept for contacts and for pairs that are too close.
import { Color } from "three";

const MOVING = ["#7f9fc6", "#d0a873", "#86b49b", "#ab97cc", "#79b4bb", "#c6b26a", "#9bbd7d", "#c79bb6"];
const AT_REST = ["#b9bec6", "#c9c2b4", "#aab6ba", "#c3bac6", "#b4bda9"];
const LINK_SHADES = [1, 0.86]; // links of one robot differ a little, so that they can be distinguished

export const CONTACT = new Color("#e0392b");
export const TOO_CLOSE = new Color("#e39a1c");
export const SELECTED = new Color("#2f6fde");

/** Returns a colour for each name: that of its file, or one for each object; what stands still is paler. */
export function coloursOf(bodies) {
  const owners = new Map();
  for (const { name, n } of bodies) {
    const owner = name.split("/")[0];
    owners.set(owner, (owners.get(owner) ?? false) || n > 1);
  }
  const next = { moving: 0, still: 0 };
  const base = new Map();
  for (const [owner, moves] of owners) {
    const palette = moves ? MOVING : AT_REST;
    base.set(owner, new Color(palette[next[moves ? "moving" : "still"]++ % palette.length]));
  }
  const colours = new Map();
  const links = new Map();
  for (const { name, colour } of bodies) {
    if (colours.has(name)) continue;
    const owner = name.split("/")[0];
    if (colour) {
      colours.set(name, fromFile(colour));
      continue;
    }
    const k = links.get(owner) ?? 0;
    links.set(owner, k + 1);
    colours.set(name, base.get(owner).clone().multiplyScalar(LINK_SHADES[k % LINK_SHADES.length]));
  }
  return colours;
}

/** Returns a colour of a file, kept off pure white and pure black, on which no edge and no shadow could be seen. */
export function fromFile([red, green, blue]) {
  const colour = new Color().setRGB(red, green, blue, "srgb");
  const { h, s, l } = colour.getHSL({});
  return colour.setHSL(h, s, Math.min(Math.max(l, 0.06), 0.82));
}
