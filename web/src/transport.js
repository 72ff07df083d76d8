// Time: a slider, play and pause, speed, keys.
import { h, icon, ICONS, replace } from "./dom.js";
import { seconds } from "./format.js";
import { contactSpans } from "./contact.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function buildTransport(root, payload, store) {
  const report = () => payload.programs[store.values.program].report;
  const seek = (time) => {
    const { t0, t1 } = report();
    store.set({ playing: false, time: Math.min(Math.max(time, t0), t1) });
  };
  const step = (n) => seek(steppedTime(payload.programs[store.values.program], store.values.time, n));

  const play = h("button", { type: "button", class: "play", click: () => toggle(store, report()) });
  const slider = h("input", {
    type: "range",
    step: "any",
    "aria-label": "Time",
    class: "slider",
    input: () => seek(slider.valueAsNumber),
  });
  const marks = h("div", { class: "marks", "aria-hidden": "true" });
  const clock = h("output", { class: "clock", for: "time" });
  const spoken = h("div", { class: "hidden", "aria-live": "polite", role: "status" });
  const speed = h(
    "select",
    { "aria-label": "Speed", change: () => store.set({ speed: Number(speed.value) }) },
    SPEEDS.map((value) => h("option", { value, selected: value === store.values.speed }, `${value}\u00d7`)),
  );
  root.append(
    h(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      h(
        "button",
        { type: "button", title: "Step back (\u2190)", "aria-label": "Step back", click: () => step(-1) },
        icon(...ICONS.back),
      ),
      play,
      h(
        "button",
        { type: "button", title: "Step on (\u2192)", "aria-label": "Step on", click: () => step(1) },
        icon(...ICONS.on),
      ),
      h("div", { class: "track" }, marks, slider),
      clock,
      speed,
      spoken,
    ),
  );

  const load = () => {
    const { t0, t1, pairs } = report();
    [slider.min, slider.max] = [t0, t1 > t0 ? t1 : t0 + 1e-9];
    slider.disabled = play.disabled = !(t1 > t0);
    const share = (time) => `${(100 * (time - t0)) / (t1 - t0 || 1)}%`;
    const spans = pairs.flatMap((pair) => contactSpans(pair, report()));
    replace(
      marks,
      spans.map((span) => {
        const bar = h("span", {});
        bar.style.left = share(span.from);
        bar.style.width = `max(3px, ${span.known ? share(span.to - span.from + t0) : "0%"})`;
        return bar;
      }),
    );
  };
  const show = ({ time, playing }) => {
    const { t0, t1 } = report();
    slider.value = time;
    slider.style.setProperty("--done", `${(100 * (time - t0)) / (t1 - t0 || 1)}%`);
    slider.setAttribute("aria-valuetext", seconds(time, t1 - t0));
    clock.value = seconds(time, t1 - t0);
    if (!playing) spoken.textContent = seconds(time, t1 - t0);
    const label = playing ? "Pause" : "Play";
    if (play.getAttribute("aria-label") !== label) {
      play.setAttribute("aria-label", label);
      play.title = `${label} (space)`;
      replace(play, icon(...ICONS[playing ? "pause" : "play"]));
    }
  };
  load();
  show(store.values);
  store.listen((values, changed) => {
    if (changed.has("program")) load();
    if (changed.has("time") || changed.has("playing") || changed.has("program")) show(values);
    if (changed.has("playing") && values.playing) run(store, report);
  });
  listenToKeys(store, report, seek, step);
}

/** Returns the time n frames on: of the scene, or else a hundredth of the interval each. */
function steppedTime({ scene, report }, time, n) {
  const width = (report.t1 - report.t0) / 100;
  if (!scene || scene.times.length < 2) return time + n * width;
  const slack = 1e-9 * Math.max(1, Math.abs(time));
  if (n > 0) {
    const next = scene.times.findIndex((t) => t > time + slack);
    return next < 0 ? report.t1 : scene.times[Math.min(next + n - 1, scene.times.length - 1)];
  }
  let last = scene.times.length - 1;
  while (last > 0 && scene.times[last] >= time - slack) last--;
  return scene.times[Math.max(last + n + 1, 0)];
}

function toggle(store, { t0, t1 }) {
  const { playing, time } = store.values;
  if (!(t1 > t0)) return;
  store.set(playing ? { playing: false } : { playing: true, time: time >= t1 ? t0 : time });
}

function run(store, report) {
  let before = null;
  const frame = (now) => {
    const { playing, time, speed } = store.values;
    if (!playing) return;
    const { t1 } = report();
    const next = time + (before === null ? 0 : Math.min(now - before, 100) * 1e-3 * speed);
    before = now;
    if (next >= t1) return store.set({ time: t1, playing: false });
    store.set({ time: next });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function listenToKeys(store, report, seek, step) {
  const actions = {
    " ": () => toggle(store, report()),
    ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
    Home: () => seek(report().t0),
    End: () => seek(report().t1),
  };
  document.addEventListener(
    "keydown",
    (event) => {
      const action = actions[event.key];
      const { target } = event;
      const typing = target.matches?.("input:not([type=range]), select, textarea");
      const pressing = event.key === " " && target.matches?.("button, a, summary");
      if (!action || typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action(event);
    },
    true,
  );
}
