// The values of all joints at the time that is shown.
import { h, name, replace } from "./dom.js";
import { lastAt } from "./contact.js";

/** Returns whether a program has joints to show. */
export function hasJoints(program) {
  return (program.scene?.robots ?? []).some((robot) => robot.joints.length > 0);
}

export function buildJoints(root, payload, store) {
  let rows = [];
  const load = () => {
    const { scene } = payload.programs[store.values.program];
    rows = [];
    const robots = scene?.robots.filter((robot) => robot.joints.length > 0) ?? [];
    replace(
      root,
      robots.map((robot) => table(robot, robots.length > 1, rows)),
    );
  };
  const show = () => {
    const { scene } = payload.programs[store.values.program];
    if (root.hidden || !scene) return;
    const i = lastAt(scene.times, store.values.time + 1e-9);
    const span = scene.times[i + 1] - scene.times[i];
    const part = span > 0 ? Math.min(Math.max((store.values.time - scene.times[i]) / span, 0), 1) : 0;
    for (const row of rows) showValue(row, valueAt(row, scene.times.length, i, part));
  };
  load();
  store.listen((_, changed) => {
    if (changed.has("program")) load();
    if (changed.has("program") || changed.has("time")) show();
  });
  return show;
}

function table(robot, isNamed, rows) {
  const lines = robot.joints.map((joint, k) => {
    const mark = h("i");
    const value = h("td", { class: "value", "data-joint": joint });
    const [lower, upper] = robot.limits[k];
    rows.push({ robot, k, mark, value });
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name(joint)),
      h("td", { class: "end" }, lower == null ? "" : text(lower, robot.revolute[k], 0)),
      h("td", { class: "range" }, lower != null && upper != null && h("span", { class: "range" }, mark)),
      h("td", { class: "end" }, upper == null ? "" : text(upper, robot.revolute[k], 0)),
      value,
    );
  });
  return h(
    "table",
    { class: "joints" },
    h("caption", { class: isNamed ? "" : "hidden" }, robot.name),
    h("tbody", {}, lines),
  );
}

function valueAt({ robot, k }, n, i, part) {
  const [before, after] = [robot.q[k * n + i], robot.q[k * n + Math.min(i + 1, n - 1)]];
  return before + part * (after - before);
}

function showValue({ robot, k, mark, value }, q) {
  const [lower, upper] = robot.limits[k];
  const outside = (lower != null && q < lower - 1e-6) || (upper != null && q > upper + 1e-6);
  value.textContent = text(q, robot.revolute[k]);
  value.classList.toggle("outside", outside);
  if (lower != null && upper > lower)
    mark.style.left = `${100 * Math.min(Math.max((q - lower) / (upper - lower), 0), 1)}%`;
}

function text(q, revolute, decimals = 2) {
  return revolute ? `${((q * 180) / Math.PI).toFixed(decimals)}\u00b0` : `${(1000 * q).toFixed(decimals)} mm`;
}
