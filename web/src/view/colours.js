// Calm colours, one for each object and link; red is kept for contacts.
import { Color } from "three";

const MOVING = [
  "#7f9fc6",
  "#d0a873",
  "#86b49b",
  "#ab97cc",
  "#79b4bb",
  "#c6b26a",
  "#8d9fd0",
  "#9bbd7d",
  "#c79bb6",
  "#a3aebb",
];
const AT_REST = ["#b9bec6", "#c9c2b4", "#aab6ba", "#c3bac6", "#b4bda9"];

export const CONTACT = new Color("#e0392b");
export const SELECTED = new Color("#2f6fde");

/** Returns a colour for each name: those that move take one palette in turn, those at rest a paler one. */
export function coloursOf(bodies) {
  const moving = new Map(bodies.map((body) => [body.name, false]));
  for (const body of bodies) if (body.n > 1) moving.set(body.name, true);
  const robots = new Set(
    bodies.filter((body) => body.n > 1 && body.name.includes("/")).map((body) => body.name.split("/")[0]),
  );
  const colours = new Map();
  const next = { link: 0, object: 1, still: 0 }; // what moves by itself begins elsewhere than links do
  for (const [name, moves] of moving) {
    const kind = robots.has(name.split("/")[0]) ? "link" : moves ? "object" : "still";
    const palette = kind === "still" ? AT_REST : MOVING;
    colours.set(name, new Color(palette[next[kind]++ % palette.length]));
  }
  return colours;
}
