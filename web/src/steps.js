// The steps of a simulation: a strip with the state of each, and the state of the step that is shown.
import { h, replace } from "./dom.js";
import { counted, length, shortSeconds } from "./format.js";

const MOST_MARKS = 200; // above, neighbours of one state are one mark
const STATES = { FREE: "free", MAY_TOUCH: "may touch", CONTACT: "contact" };

/** Returns the number of the last step that is not after a time, -1 where there is none. */
export function stepAt({ times }, time) {
  const slack = 1e-9 * Math.max(1, Math.abs(time));
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + slack) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `source` gives the `steps()` of the program that is shown, null where it was not sampled, and its `span()`. */
export function buildSteps(root, store, source) {
  const marks = h("div", { class: "strip", role: "img" });
  const now = h("output", { class: "step" });
  root.querySelector(".track").append(marks); // on the same scale as the slider
  root.append(now);
  marks.addEventListener("pointerdown", (event) => {
    const { left, width } = marks.getBoundingClientRect();
    const { t0, t1 } = source.span();
    const step = nearest(source.steps(), t0 + ((event.clientX - left) / (width || 1)) * (t1 - t0));
    if (step != null) store.set({ playing: false, time: step });
  });

  const share = (time) => {
    const { t0, t1 } = source.span();
    return (100 * (time - t0)) / (t1 - t0 || 1);
  };
  const load = () => {
    const steps = source.steps();
    marks.hidden = now.hidden = !steps;
    if (!steps) return;
    const counts = Object.keys(STATES)
      .map((state) => [state, steps.steps.filter((one) => one === state).length])
      .filter(([, n]) => n > 0);
    const words = counts.map(([state, n]) => `${n} ${STATES[state]}`).join(", ");
    marks.setAttribute("aria-label", `${counted(steps.times.length, "step")}: ${words}`);
    replace(marks, runsOf(steps).map((run) => mark(run, share)));
  };
  const show = ({ time }) => {
    const steps = source.steps();
    if (!steps) return;
    const k = stepAt(steps, time);
    replace(now, k < 0 ? "no step yet" : sentence(steps, k));
    now.dataset.step = steps.steps[k] ?? "";
  };
  load();
  show(store.values);
  store.listen((values, changed) => {
    if (changed.has("program")) load();
    if (changed.has("program") || changed.has("time")) show(values);
  });
}

function sentence({ times, steps, gaps, n_asked: asked }, k) {
  const gap = gaps[k] == null ? "" : `, at most ${length(gaps[k], Math.ceil)} apart`;
  return `step ${k + 1} of ${asked} at ${shortSeconds(times[k])}: ${STATES[steps[k]]}${gap}`;
}

/** Returns the time of the step that is nearest to a time. */
function nearest(sampling, time) {
  const k = stepAt(sampling, time);
  const [before, after] = [sampling.times[k], sampling.times[k + 1]];
  if (before == null || after == null) return before ?? after;
  return time - before <= after - time ? before : after;
}

/** Returns steps as marks from one time to another: each step, or runs of equal ones where there are many. */
function runsOf({ times, steps }) {
  const joins = times.length > MOST_MARKS;
  const runs = [];
  times.forEach((time, k) => {
    const last = runs.at(-1);
    if (joins && last?.state === steps[k]) last.to = time;
    else runs.push({ from: time, to: time, state: steps[k] });
  });
  return runs;
}

function mark({ from, to, state }, share) {
  const bar = h("span", { "data-step": state });
  bar.style.left = `${share(from)}%`;
  bar.style.width = `${share(to) - share(from)}%`;
  return bar;
}
