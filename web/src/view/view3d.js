// The cell in three dimensions: drawn when something changed, turned and zoomed by pointer and touch.
import {
  Box3,
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
import { Marks } from "./marks.js";
import { bestView, extentOf, lookAt, momentOf } from "./framing.js";
import { Stage } from "./stage.js";
import { isTouching } from "../contact.js";
import { length, shortSeconds } from "../format.js";

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
    this.gizmo = new Gizmo();
    this.surfaceOf = surfaceCache(payload.shapes);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => (this.#fitStage(), this.invalidate()));
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    canvas.addEventListener("pointermove", (event) => event.buttons === 0 && this.#name(event));
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
    const chosen = program.report.pairs[pair];
    const owners = new Set(chosen ? [chosen.a, chosen.b].map((name) => name.split("/")[0]) : []);
    const near = chosen ? momentOf(this.bodies, time, owners) : this.points;
    this.bodies.place(time);
    const focus = chosen?.contacts[0]?.p_W ?? chosen?.p_WA;
    this.direction = bestView(this.bodies, this.box, focus && new Vector3(...focus));
    this.#fitStage();
    const room = this.box.clone();
    lookAt(
      this.camera,
      this.controls,
      near.map((point) => room.clampPoint(point, point)),
      this.direction,
    );
    return this.cell;
  }

  reset() {
    lookAt(this.camera, this.controls, this.points, this.direction);
    this.invalidate();
  }

  /** Turns towards the contact or the closest points that are shown, and comes near. */
  focus() {
    if (this.focusPoints.length === 0) return;
    const box = new Box3().setFromPoints(this.focusPoints);
    const centre = box.getCenter(new Vector3());
    const near = Math.max(
      1.2 * box.getSize(new Vector3()).length(),
      0.16 * this.box.getSize(new Vector3()).length(),
    );
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, 2 * near);
    this.controls.update();
    this.invalidate();
  }

  /** Shows a moment; returns the frame and the names of what touches. */
  show({ time, pair: index, ghost, grid, xray }) {
    const { report } = this.program;
    const frame = this.bodies.place(time);
    const touching = report.pairs.filter((pair) => isTouching(pair, time, report));
    const selected = report.pairs[index];
    this.bodies.paint(
      new Set(touching.flatMap(({ a, b }) => [a, b])),
      new Set(selected ? [selected.a, selected.b] : []),
      xray,
    );
    const contact = selected && nearest(selected.contacts, time);
    const moment = contact ? contact.time : selected?.clearance_time;
    this.isNow = moment != null && Math.abs(time - moment) <= 1e-6 * Math.max(report.t1 - report.t0, 1);
    this.focusPoints = this.marks.show(selected, contact, this.isNow);
    this.#showGhost(selected, contact, time, ghost);
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
    this.renderer.info.reset();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.render(this.scene, this.camera);
    const { triangles } = this.renderer.info.render;
    this.gizmo.draw(this.renderer, this.camera, this.controls.target);
    this.#label();
    this.onDraw(triangles);
  }

  #label() {
    const { distance } = this.labels;
    const at = this.focusPoints?.[0];
    distance.hidden = !at || !this.selected;
    if (distance.hidden) return;
    const middle = this.focusPoints
      .reduce((sum, p) => sum.add(p), new Vector3())
      .divideScalar(this.focusPoints.length);
    const seen = middle.project(this.camera);
    const when = this.isNow
      ? ""
      : ` at ${shortSeconds(this.contact?.time ?? this.selected.clearance_time, 4)}`;
    const { margin, least } = this.selected;
    const touch = margin > 0 ? `within ${length(margin)}` : "contact";
    distance.textContent = `${this.contact ? touch : least}${when}`;
    distance.classList.toggle("past", !this.isNow);
    distance.classList.toggle("contact", Boolean(this.contact));
    distance.style.transform = `translate(${((seen.x + 1) / 2) * this.size.width + 12}px, ${((1 - seen.y) / 2) * this.size.height - 30}px)`;
    distance.hidden = seen.z > 1;
  }

  #name(event) {
    const { name } = this.labels;
    const bounds = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / bounds.width - 1, 1 - (2 * y) / bounds.height), this.camera);
    const [hit] = this.bodies
      ? ray.intersectObjects(
          this.bodies.list.map(({ mesh }) => mesh),
          false,
        )
      : [];
    name.hidden = !hit;
    if (!hit) return;
    name.textContent = hit.object.userData.name;
    name.style.transform = `translate(${Math.min(x + 14, bounds.width - 120)}px, ${y + 14}px)`;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.camera.aspect = this.size.width / this.size.height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}

/** Returns the contact whose time is nearest. */
function nearest(contacts, time) {
  return contacts.reduce(
    (best, entry) => (!best || Math.abs(entry.time - time) < Math.abs(best.time - time) ? entry : best),
    null,
  );
}
