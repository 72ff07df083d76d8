// Colours of members: from small or slow to large or fast; red is kept for contacts.
const STOPS = ["#4a5ac4", "#2f86c8", "#2fa79b", "#7dbf57", "#f2c83a"].map(channels);
export const HIT = channels("#ff3b24");

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Returns red, green and blue, each 0 to 1, at a place from 0 to 1. */
export function ramp(place) {
  const at = Math.min(Math.max(place, 0), 1) * (STOPS.length - 1);
  const k = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[k].map((value, c) => value + (at - k) * (STOPS[k + 1][c] - value));
}

/** Returns the ramp as a background of CSS. */
export function gradient() {
  const stops = STOPS.map((rgb) => `rgb(${rgb.map((value) => Math.round(255 * value)).join(" ")})`);
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}
