// The cell in three dimensions: drawn when something changed, turned and zoomed by pointer and touch.
import {
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Bodies, surfaceCache } from "./bodies.js";
import { Gizmo } from "./gizmo.js";
import { Marks, pointScale } from "./marks.js";
import { Measure } from "./measure.js";
import { Paths } from "./paths.js";
import { bestView, direction, extentOf, lookAt, objectPoints, pairPoints } from "./framing.js";
import { Stage } from "./stage.js";
import { eventAt } from "../contact.js";
import { contactText } from "../events.js";
import { length, shortSeconds } from "../format.js";

/** Directions of view by name; "fit" keeps the present one. */
export const PRESETS = {
  fit: { label: "Fit", title: "Show all" },
  iso: { label: "Iso", title: "From the front, the right and above", from: direction(-45, 35.264) },
  front: { label: "Front", title: "From the front, along y", from: direction(-90, 0) },
  right: { label: "Right", title: "From the right, against x", from: direction(0, 0) },
  top: { label: "Top", title: "From above, against z", from: direction(-90, 89.9) },
};
const CLICK = 4; // pixels: a pointer that moves farther turns the view

export class View3D {
  #dirty = false;

  /** Throws where the browser has no WebGL. `labels` are elements for a distance and for a name under the pointer. */
  constructor(canvas, labels, payload, onDraw) {
    this.canvas = canvas;
    this.labels = labels;
    this.payload = payload;
    this.onDraw = onDraw;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // shadows change when bodies move, not when the camera does
    this.renderer.info.autoReset = false;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.stage = new Stage(this.scene);
    this.marks = new Marks(this.scene);
    this.paths = new Paths(this.scene);
    this.measure = new Measure(this.scene, labels.measure);
    this.gizmo = new Gizmo();
    this.surfaceOf = surfaceCache(payload.shapes);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => (this.#fitStage(), this.invalidate()));
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    canvas.addEventListener("pointermove", (event) => event.buttons === 0 && this.#name(event));
    this.#listenToClicks();
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    canvas.addEventListener("pointerleave", () => (this.labels.name.hidden = true));
    this.#resize();
  }

  /** Shows the bodies of a program, from where its first moment is seen; returns the width of a cell of the grid [m]. */
  load(program, { time, pair }) {
    this.bodies?.dispose();
    this.program = program;
    this.bodies = new Bodies(program.scene, this.surfaceOf);
    this.scene.add(this.bodies.group);
    Object.assign(this, extentOf(this.bodies));
    this.hasVisuals = this.bodies.hasVisuals;
    this.collisions = program.report.pairs.filter((one) => one.verdict === "COLLIDING");
    this.shownPaths = null;
    this.measure.clear();
    const chosen = program.report.pairs[pair];
    this.bodies.place(time);
    this.bodies.paint(new Map(), new Set(), { xray: false, hidden: new Set(), visual: false });
    const focus = chosen && focusOf(chosen, nearest(chosen.contacts, time), time, program.report);
    this.direction = bestView(this.bodies, this.box, focus);
    this.#fitStage();
    const near = chosen ? pairPoints(this.bodies, chosen, focus, this.box) : this.points;
    lookAt(this.camera, this.controls, near, this.direction, this.box);
    return this.cell;
  }

  /** Shows all of the scene from a direction of `PRESETS`. */
  preset(name) {
    const from = PRESETS[name].from ?? this.camera.position.clone().sub(this.controls.target).normalize();
    lookAt(this.camera, this.controls, this.points, from, this.box);
    this.invalidate();
  }

  /** Turns towards the selected pair where it is now: its contact or closest points at their time, else its bodies. */
  focus() {
    if (!this.selected) return;
    const focus = this.isNow && this.focusPoints.length > 0 ? middleOf(this.focusPoints) : null;
    this.#lookFromHere(pairPoints(this.bodies, this.selected, focus, this.box));
  }

  /** Turns towards an object or link where it is now. */
  frame(name) {
    const points = objectPoints(this.bodies, name);
    if (points) this.#lookFromHere(points);
  }

  #lookFromHere(points) {
    const from = this.camera.position.clone().sub(this.controls.target).normalize();
    lookAt(this.camera, this.controls, points, from, this.box);
    this.invalidate();
  }

  /** Returns the view as a picture of so many pixels, in light colours. */
  picture(width, height) {
    const { size } = this;
    this.#setSize({ width, height }, 1);
    this.#draw();
    const address = this.canvas.toDataURL("image/png");
    this.#setSize(size, Math.min(devicePixelRatio, 2));
    this.#draw();
    return address;
  }

  /** Shows a moment; returns the frame and the names of what touches. */
  show({ time, pair: index, ghost, grid, xray, hidden, paths, visual, measure }) {
    const { report, scene } = this.program;
    const frame = this.bodies.place(time);
    const touching = this.collisions
      .map((pair) => ({ a: pair.a, b: pair.b, event: eventAt(pair, time, report) }))
      .filter(({ event }) => event);
    const selected = report.pairs[index];
    const events = new Map();
    for (const { a, b, event } of [...touching].sort((x) => (x.event === "contact" ? 1 : -1)))
      for (const name of [a, b]) events.set(name, event); // of two events of one body, contact counts
    this.bodies.paint(events, new Set(selected ? [selected.a, selected.b] : []), { xray, hidden, visual });
    const contact = selected && nearest(selected.contacts, time);
    this.isNow = selected && isAt(selected, contact, time, report);
    this.focusPoints = this.marks.show(selected, contact, this.isNow);
    this.#showGhost(selected, contact, time, ghost);
    if (paths !== this.shownPaths) this.paths.show(paths, scene);
    this.shownPaths = paths;
    this.paths.place(time, scene.times);
    if (!measure) this.measure.clear();
    this.isMeasuring = measure;
    this.canvas.classList.toggle("measuring", measure);
    this.stage.grid.visible = grid;
    this.renderer.shadowMap.needsUpdate = true;
    this.selected = selected;
    this.contact = contact;
    this.invalidate();
    return { frame, touching };
  }

  #showGhost(pair, contact, time, wanted) {
    const shown = wanted && contact && Math.abs(time - contact.time) > 1e-6;
    const key = shown ? `${pair.a} ${pair.b} ${contact.time}` : "";
    if (key === this.ghostKey && this.ghostBodies === this.bodies) return;
    [this.ghostKey, this.ghostBodies] = [key, this.bodies];
    this.marks.showGhost(this.bodies, pair, shown ? this.bodies.frameAt(contact.time) : null);
  }

  #fitStage() {
    if (this.box) this.cell = this.stage.fit(this.box, this.dark.matches);
    this.renderer.shadowMap.needsUpdate = true;
  }

  /** Draws once, before the next frame of the screen. */
  invalidate() {
    if (this.#dirty) return;
    this.#dirty = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#dirty = false;
    const { width, height } = this.size;
    this.marks.resize(this.camera, height);
    for (const { dot } of this.paths.list) dot.scale.setScalar(pointScale(this.camera, height, dot.position, 3.5));
    for (const end of this.measure.ends) end.scale.setScalar(pointScale(this.camera, height, end.position, 3.5));
    this.renderer.info.reset();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.render(this.scene, this.camera);
    const { triangles } = this.renderer.info.render;
    this.gizmo.draw(this.renderer, this.camera, this.controls.target);
    this.#label();
    this.measure.showLabel(this.isMeasuring, this.camera, this.size);
    this.onDraw(triangles);
  }

  #label() {
    const { distance } = this.labels;
    const at = this.focusPoints?.[0];
    distance.hidden = !at || !this.selected;
    if (distance.hidden) return;
    const seen = middleOf(this.focusPoints).project(this.camera);
    const when = this.isNow
      ? ""
      : ` at ${shortSeconds(this.contact?.time ?? this.selected.clearance_time, 4)}`;
    distance.textContent = `${this.contact ? contactText(this.contact, this.selected) : this.#apart()}${when}`;
    distance.classList.toggle("past", !this.isNow);
    distance.dataset.event = !this.contact ? "" : this.selected.margin > 0 ? "too close" : "contact";
    distance.hidden = seen.z > 1;
    const x = Math.min(((seen.x + 1) / 2) * this.size.width + 12, this.size.width - distance.offsetWidth - 8);
    distance.style.transform = `translate(${Math.max(x, 8)}px, ${((1 - seen.y) / 2) * this.size.height - 30}px)`;
  }

  /** Returns how far apart the two points are that the label stands at; the minimum distance has other bounds. */
  #apart() {
    const [p, q] = this.focusPoints;
    return q && this.selected.verdict === "CLEAR" ? length(p.distanceTo(q)) : this.selected.least;
  }

  /** Returns what is under a pointer, null where nothing is. */
  #pick(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / bounds.width - 1, 1 - (2 * y) / bounds.height), this.camera);
    const hit = this.bodies?.hit(ray);
    return hit && { ...hit, x, y, width: bounds.width };
  }

  #name(event) {
    const { name } = this.labels;
    const hit = this.#pick(event);
    name.hidden = !hit;
    if (!hit) return;
    name.textContent = hit.entry.body.name;
    name.style.transform = `translate(${Math.min(hit.x + 14, hit.width - 120)}px, ${hit.y + 14}px)`;
  }

  #listenToClicks() {
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      const far = from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > CLICK;
      if (!from || far || !this.isMeasuring) return;
      const hit = this.#pick(event);
      if (hit) this.measure.add(hit.point);
      this.invalidate();
    });
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.#setSize({ width: Math.max(width, 1), height: Math.max(height, 1) }, Math.min(devicePixelRatio, 2));
    this.invalidate();
  }

  #setSize(size, ratio) {
    this.size = size;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(size.width, size.height, false);
    this.camera.aspect = size.width / size.height;
    this.camera.updateProjectionMatrix();
  }
}

function middleOf(points) {
  return points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
}

/** Returns whether a time is that of a contact, or of the least distance of a pair. */
function isAt(pair, contact, time, report) {
  const moment = contact ? contact.time : pair.clearance_time;
  return moment != null && Math.abs(time - moment) <= 1e-6 * Math.max(report.t1 - report.t0, 1);
}

/** Returns the point that a pair is about at a time, null where it is not known then. */
function focusOf(pair, contact, time, report) {
  if (!isAt(pair, contact, time, report)) return null;
  const p = contact ? contact.p_W : pair.p_WA;
  return p ? new Vector3(...p) : null;
}

/** Returns the contact whose time is nearest. */
function nearest(contacts, time) {
  return contacts.reduce(
    (best, entry) => (!best || Math.abs(entry.time - time) < Math.abs(best.time - time) ? entry : best),
    null,
  );
}
