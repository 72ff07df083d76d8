// A moment as an address: the program, the time and the selected pair in the fragment, such as #t=2.06&pair=arm+-+table.

/** Returns the fragment that leads to what is shown. */
export function fragmentOf({ program, time, pair }, programs) {
  const { report } = programs[program];
  const words = new URLSearchParams();
  if (programs.length > 1) words.set("program", report.program || String(program + 1));
  words.set("t", String(Number(time.toFixed(6))));
  const chosen = report.pairs[pair];
  if (chosen) words.set("pair", pairName(chosen));
  return `#${words}`;
}

/** Returns the values of the store that a fragment stands for, {} for any other fragment. */
export function readFragment(fragment, programs) {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!words.has("t") && !words.has("pair")) return {};
  const found = {};
  const named = programs.findIndex(({ report }, i) =>
    [report.program || String(i + 1)].includes(words.get("program")),
  );
  if (named >= 0) found.program = named;
  const { report } = programs[Math.max(named, 0)];
  const pair = report.pairs.findIndex((one) => pairName(one) === words.get("pair"));
  if (pair >= 0) found.pair = pair;
  const time = Number(words.get("t"));
  if (words.has("t") && Number.isFinite(time)) found.time = Math.min(Math.max(time, report.t0), report.t1);
  return found;
}

/** Keeps the address at what is shown, and shows another address that a user enters. */
export function keepAddress(store, programs, open) {
  let timer = null;
  const write = () => {
    const fragment = fragmentOf(store.values, programs);
    if (location.hash !== fragment) history.replaceState(null, "", fragment);
  };
  store.listen((values, changed) => {
    if (values.playing || !["time", "pair", "program", "playing"].some((name) => changed.has(name))) return;
    clearTimeout(timer);
    timer = setTimeout(write, 150);
  });
  window.addEventListener("hashchange", () => {
    const { program, ...rest } = readFragment(location.hash, programs);
    if (program != null && program !== store.values.program) open(program);
    store.set({ playing: false, ...rest });
  });
}

function pairName({ a, b }) {
  return `${a} - ${b}`;
}
