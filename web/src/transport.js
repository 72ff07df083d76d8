// Time: a slider, play and pause, speed, keys.
import { h, icon, ICONS, replace } from "./dom.js";
import { seconds } from "./format.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

/** `source` says what is shown: `span()` from t0 to t1, `marks()` on the slider, and the `frames()` to step through. */
export function buildTransport(root, store, source) {
  const seek = (time) => {
    const { t0, t1 } = source.span();
    store.set({ playing: false, time: Math.min(Math.max(time, t0), t1) });
  };
  const step = (n) => seek(steppedTime(source, store.values.time, n));

  const play = h("button", { type: "button", class: "play", click: () => toggle(store, source.span()) });
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
  const bar = root.appendChild(
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
        { type: "button", title: "Step forward (\u2192)", "aria-label": "Step forward", click: () => step(1) },
        icon(...ICONS.on),
      ),
      h("div", { class: "track" }, marks, slider),
      clock,
      speed,
      spoken,
    ),
  );

  const load = () => {
    const { t0, t1 } = source.span();
    [slider.min, slider.max] = [t0, t1 > t0 ? t1 : t0 + 1e-9];
    slider.disabled = play.disabled = !(t1 > t0);
    bar.hidden = !(t1 > t0); // one instant has no time to move in
    const share = (time) => `${(100 * (time - t0)) / (t1 - t0 || 1)}%`;
    replace(
      marks,
      source.marks().map((span) => {
        const mark = h("span", { "data-event": span.event });
        mark.style.left = share(span.from);
        mark.style.width = `max(3px, ${share(span.to - span.from + t0)})`;
        return mark;
      }),
    );
  };
  const show = ({ time, playing }) => {
    const { t0, t1 } = source.span();
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
    if (changed.has("playing") && values.playing) run(store, source);
  });
  listenToKeys(store, source, seek, step);
}

/** Returns the time n frames on: of those that there are, or else a hundredth of the interval each. */
function steppedTime(source, time, n) {
  const [times, { t0, t1 }] = [source.frames(), source.span()];
  if (!times || times.length < 2) return time + (n * (t1 - t0)) / 100;
  const slack = 1e-9 * Math.max(1, Math.abs(time));
  if (n > 0) {
    const next = times.findIndex((t) => t > time + slack);
    return next < 0 ? t1 : times[Math.min(next + n - 1, times.length - 1)];
  }
  let last = times.length - 1;
  while (last > 0 && times[last] >= time - slack) last--;
  return times[Math.max(last + n + 1, 0)];
}

function toggle(store, { t0, t1 }) {
  const { playing, time } = store.values;
  if (!(t1 > t0)) return;
  store.set(playing ? { playing: false } : { playing: true, time: time >= t1 ? t0 : time });
}

function run(store, source) {
  let before = null;
  const frame = (now) => {
    const { playing, time, speed } = store.values;
    if (!playing) return;
    const { t1 } = source.span();
    const next = time + (before === null ? 0 : Math.min(now - before, 100) * 1e-3 * speed);
    before = now;
    if (next >= t1) return store.set({ time: t1, playing: false });
    store.set({ time: next });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function listenToKeys(store, source, seek, step) {
  const actions = {
    " ": () => toggle(store, source.span()),
    ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
    Home: () => seek(source.span().t0),
    End: () => seek(source.span().t1),
  };
  document.addEventListener(
    "keydown",
    (event) => {
      const action = actions[event.key];
      const { target } = event;
      const typing = target.matches?.("input:not([type=range]), select, textarea");
      const pressing =
        (event.key === " " && target.matches?.("button, a, summary")) ||
        (event.key.startsWith("Arrow") && target.matches?.("[role=tab]"));
      if (!action || typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action(event);
    },
    true,
  );
}
