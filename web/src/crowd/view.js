// The crowd, drawn with one instance for each member: spheres in a box, or discs in a plane.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  CircleGeometry,
  Color,
  DirectionalLight,
  EdgesGeometry,
  BoxGeometry,
  HemisphereLight,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  SRGBColorSpace,
  TOUCH,
  Vector3,
  WebGLRenderer,
  BackSide,
  RingGeometry,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { lookAt } from "../view/framing.js";
import { Gizmo } from "../view/gizmo.js";
import { HIT, ramp } from "./colours.js";

const MOST_MARKS = 400; // contact points shown at a time
const TOOLS = 58; // height of the buttons above discs [px]
const VIEW = new Vector3(0.52, -0.74, 0.42).normalize();

const RAMP = new Float32Array(Array.from({ length: 256 }, (_, k) => linear(ramp(k / 255))).flat());
const RED = linear(HIT);

/** Returns a colour as the renderer computes with it. */
function linear(rgb) {
  return new Color().setRGB(...rgb, SRGBColorSpace).toArray();
}

export class CrowdView {
  #dirty = false;

  /** Throws where the browser has no WebGL. */
  constructor(canvas, label, motion, events, box, names, onDraw) {
    Object.assign(this, { canvas, label, motion, events, names, onDraw, flat: motion.d === 2 });
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.info.autoReset = false;
    this.scene = new Scene();
    this.walled = Boolean(box);
    this.box = box ?? extentOf(motion);
    this.camera = this.flat
      ? new OrthographicCamera(-1, 1, 1, -1, 0.1, 10)
      : new PerspectiveCamera(34, 1, 0.01, 100);
    this.camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    this.controls = new OrbitControls(this.camera, canvas);
    if (this.flat) {
      Object.assign(this.controls, { enableRotate: false, screenSpacePanning: true, zoomToCursor: true });
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
    }
    this.controls.addEventListener("change", () => this.invalidate());
    this.glow = new Float32Array(motion.n);
    this.flash = flashOf(motion, events);
    this.#fill();
    this.gizmo = this.flat ? null : new Gizmo();
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => (this.#paintBox(), this.invalidate()));
    this.#paintBox();
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    canvas.addEventListener("pointermove", (event) => event.buttons === 0 && this.#name(event));
    canvas.addEventListener("pointerleave", () => (this.label.hidden = true));
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.#resize();
    this.reset();
  }

  #fill() {
    const { n } = this.motion;
    const [ball, bound] = this.flat
      ? [new CircleGeometry(1, 40), new RingGeometry(0.94, 1, 48)]
      : [sphere(n), sphere(n)];
    const solid = this.flat ? new MeshBasicMaterial() : new MeshLambertMaterial();
    this.balls = new InstancedMesh(ball, solid, Math.max(n, 1));
    this.bounds = new InstancedMesh(bound, this.flat ? flatBound() : rim(), Math.max(n, 1));
    this.chosen = new InstancedMesh(ball, new MeshBasicMaterial({ side: this.flat ? 2 : BackSide }), 2);
    for (const mesh of [this.balls, this.bounds, this.chosen]) {
      mesh.frustumCulled = false;
      mesh.instanceMatrix.array.fill(0);
      this.scene.add(mesh);
    }
    this.balls.count = this.bounds.count = n;
    this.balls.setColorAt(0, new Color()); // makes room for colours
    [this.balls.renderOrder, this.bounds.renderOrder] = [1, 2];
    this.marks = marksOf(this.flat ? 4 : 6);
    this.scene.add(this.marks);
    const [lower, upper] = this.#corners();
    const size = upper.clone().sub(lower);
    const edges = new EdgesGeometry(new BoxGeometry(size.x, size.y, this.flat ? 1e-6 : size.z));
    this.frame = new LineSegments(edges, new LineBasicMaterial({ transparent: true }));
    this.frame.position.copy(lower).add(upper).divideScalar(2);
    const sun = new DirectionalLight("#ffffff", 1.9);
    sun.position.set(0.35, -0.6, 1);
    const fill = new DirectionalLight("#dfe8ff", 0.5);
    fill.position.set(-1, 0.8, 0.2);
    this.scene.add(this.frame, sun, fill, new HemisphereLight("#ffffff", "#8d93a0", 1.5));
  }

  #corners() {
    return this.box.map((corner) => new Vector3(corner[0], corner[1], this.flat ? 0 : corner[2]));
  }

  #paintBox() {
    this.frame.material.color.set(this.dark.matches ? "#9aa9bc" : "#5b6a7d");
    this.frame.material.opacity = this.walled ? 0.6 : 0.2;
    this.chosen.material.color.set(this.dark.matches ? "#ffffff" : "#10161d");
  }

  /** Shows everything. */
  reset() {
    const [lower, upper] = this.#corners();
    if (this.flat) {
      const middle = lower.clone().add(upper).divideScalar(2);
      this.controls.target.copy(middle);
      this.camera.position.set(middle.x, middle.y, 1);
      this.camera.zoom = 1;
      this.#fitFlat();
      this.controls.update();
    } else {
      const corners = Array.from(
        { length: 8 },
        (_, k) => new Vector3(...["x", "y", "z"].map((axis, c) => ((k >> c) & 1 ? upper : lower)[axis])),
      );
      lookAt(this.camera, this.controls, corners, VIEW);
      const far = this.camera.position.distanceTo(this.controls.target);
      Object.assign(this.camera, { near: far / 4000, far: 12 * far });
      this.camera.updateProjectionMatrix();
    }
    this.invalidate();
  }

  #fitFlat() {
    const [lower, upper] = this.#corners();
    const [width, height] = [1.04 * (upper.x - lower.x), 1.04 * (upper.y - lower.y)];
    const { aspect } = this;
    const tools = Math.min(TOOLS / this.size.height, 0.3); // the part that the buttons take, at the top
    const whole = Math.max(height / (1 - tools), width / aspect);
    const bottom = -0.5 * (whole * (1 - tools));
    Object.assign(this.camera, {
      left: -0.5 * whole * aspect,
      right: 0.5 * whole * aspect,
      bottom,
      top: bottom + whole,
    });
    this.camera.near = 0.01;
    this.camera.far = 10;
    this.camera.updateProjectionMatrix();
  }

  /** Shows a moment; returns its frame and how many members glow. */
  show({ time, speed, bounds, colour, pair, flashes }) {
    const { motion, events } = this;
    const frame = motion.place(time, bounds);
    const width = this.flash * Math.max(speed, 0.02); // as long for the viewer at each speed
    const overlapping = events.glow(time, width, this.glow);
    if (!flashes) this.glow.fill(0);
    this.#placeBalls(colour);
    this.bounds.visible = Boolean(bounds && motion.boundNumbers);
    if (this.bounds.visible)
      put(
        this.bounds,
        motion.n,
        motion.boundX,
        (i) => (motion.isThere[i] ? motion.boundRadius[i] : 0),
        this.flat ? 0.5 : 0,
      );
    this.#showMarks(flashes ? events.recent(time, width, MOST_MARKS) : []);
    this.#showChosen(pair);
    this.invalidate();
    const glowing = this.glow.reduce((sum, value) => sum + (value > 0), 0);
    return { frame, overlapping, glowing, growth: this.bounds.visible ? growthOf(motion) : null };
  }

  #placeBalls(colour) {
    const { motion, glow } = this;
    put(
      this.balls,
      motion.n,
      motion.x,
      (i) => (motion.isThere[i] ? motion.radii[i] : 0),
      this.flat ? 0.3 : 0,
    );
    const colours = this.balls.instanceColor.array;
    const place = this.placeOf(colour);
    for (let i = 0; i < motion.n; i++) {
      const at = 3 * Math.min(Math.max(Math.round(255 * place(i)), 0), 255);
      const g = glow[i] > 0 ? 0.25 + 0.75 * glow[i] : 0;
      for (let c = 0; c < 3; c++) colours[3 * i + c] = RAMP[at + c] + g * (RED[c] - RAMP[at + c]);
    }
    this.balls.instanceColor.needsUpdate = true;
  }

  /** Returns a function that tells a member's place in the range of colours. */
  placeOf(colour) {
    const { motion } = this;
    if (colour === "speed") return (i) => motion.speed[i] / (motion.topSpeed || 1);
    const [low, high] = sizes(motion);
    return (i) => (high > low ? (motion.radii[i] - low) / (high - low) : 0.3);
  }

  #showMarks(recent) {
    const { position, color } = this.marks.geometry.attributes;
    recent.forEach(({ k, fresh }, m) => {
      for (let c = 0; c < 3; c++)
        position.array[3 * m + c] = c < this.motion.d ? this.events.position[k * this.motion.d + c] : 0.6;
      color.array.set([1, 0.95, 0.9, fresh], 4 * m);
    });
    position.needsUpdate = color.needsUpdate = true;
    this.marks.geometry.setDrawRange(0, recent.length);
    this.marks.visible = recent.length > 0;
  }

  #showChosen(pair) {
    const rows = (pair ?? []).filter((row) => row >= 0 && this.motion.isThere[row]);
    const x = new Float32Array(rows.flatMap((row) => Array.from(this.motion.x.slice(3 * row, 3 * row + 3))));
    put(
      this.chosen,
      rows.length,
      x,
      (k) => this.motion.radii[rows[k]] * 1.07 + this.#pixel(1.5),
      this.flat ? 0.2 : 0,
    );
    this.chosen.count = rows.length;
    this.chosen.visible = rows.length > 0;
  }

  /** Returns about how long some pixels are at the middle of the view [m]. */
  #pixel(count) {
    if (this.flat)
      return (count * (this.camera.top - this.camera.bottom)) / this.camera.zoom / this.size.height;
    const far = this.camera.position.distanceTo(this.controls.target);
    return (count * 2 * far * Math.tan((this.camera.fov * Math.PI) / 360)) / this.size.height;
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
    this.renderer.info.reset();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.render(this.scene, this.camera);
    const { triangles } = this.renderer.info.render;
    this.gizmo?.draw(this.renderer, this.camera, this.controls.target);
    this.onDraw(triangles);
  }

  #name(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const row = this.#hit((2 * x) / bounds.width - 1, 1 - (2 * y) / bounds.height);
    this.label.hidden = row < 0;
    if (row < 0) return;
    const { radii, speed } = this.motion;
    const short = (value) => Number(value.toPrecision(3));
    this.label.textContent = `${this.names[row]}: radius ${short(radii[row])} m, ${short(speed[row])} m/s`;
    this.label.style.transform = `translate(${Math.max(Math.min(x + 14, bounds.width - 210), 0)}px, ${y + 14}px)`;
  }

  /** Returns the member that is seen at a place from -1 to 1, or -1. */
  #hit(x, y) {
    const { n, radii, isThere } = this.motion;
    const origin = new Vector3(x, y, -1).unproject(this.camera);
    const way = new Vector3(x, y, 1).unproject(this.camera).sub(origin).normalize();
    let best = { row: -1, far: Infinity };
    for (let i = 0; i < n; i++) {
      if (!isThere[i]) continue;
      const to = [0, 1, 2].map((c) => this.motion.x[3 * i + c] - origin.getComponent(c));
      const along = to[0] * way.x + to[1] * way.y + to[2] * way.z;
      const gap = to[0] ** 2 + to[1] ** 2 + to[2] ** 2 - along ** 2;
      if (gap > radii[i] ** 2) continue;
      const far = along - Math.sqrt(radii[i] ** 2 - gap);
      if (far < best.far && (far > 0 || this.flat)) best = { row: i, far };
    }
    return best.row;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    this.aspect = this.size.width / this.size.height;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(this.size.width, this.size.height, false);
    if (this.flat) this.#fitFlat();
    else {
      this.camera.aspect = this.aspect;
      this.camera.updateProjectionMatrix();
    }
    this.invalidate();
  }
}

/** Returns how long a flash lasts [s]: shorter the more there are, so that not everybody glows. */
function flashOf({ n, t0, t1 }, { all }) {
  const share = (2 * all) / Math.max(n * (t1 - t0), 1e-9); // contacts of one member in a second
  return Math.min(Math.max(0.12 / Math.max(share, 1e-9), 0.04), 0.2);
}

/** Returns how much larger bounds are than their members, on average [m]. */
function growthOf({ n, isThere, radii, boundRadius }) {
  let [sum, count] = [0, 0];
  for (let i = 0; i < n; i++) {
    sum += isThere[i] ? boundRadius[i] - radii[i] : 0;
    count += isThere[i];
  }
  return Math.max(sum / (count || 1), 0);
}

/** Returns the smallest and the largest radius. */
export function sizes(motion) {
  return motion.radii.reduce(([low, high], r) => [Math.min(low, r), Math.max(high, r)], [Infinity, 0]);
}

/** Puts instances at places (3 numbers each), as large as a function says. */
function put(mesh, n, x, radius, z) {
  const m = mesh.instanceMatrix.array;
  for (let i = 0; i < n; i++) {
    const r = radius(i);
    m[16 * i] = m[16 * i + 5] = m[16 * i + 10] = r;
    m[16 * i + 12] = x[3 * i];
    m[16 * i + 13] = x[3 * i + 1];
    m[16 * i + 14] = z > 0 ? z + 1e-4 * (i % 1000) : x[3 * i + 2];
    m[16 * i + 15] = 1;
  }
  mesh.instanceMatrix.needsUpdate = true;
}

/** Returns a sphere with as many triangles as so many of them allow. */
function sphere(n) {
  const around = n <= 1500 ? 26 : n <= 6000 ? 20 : n <= 20000 ? 14 : 9;
  return new SphereGeometry(1, around, Math.max(Math.round(0.7 * around), 5));
}

function flatBound() {
  return new MeshBasicMaterial({ transparent: true, depthWrite: false, color: "#6f94e0", opacity: 0.9 });
}

/** Returns a material for bubbles: clear in the middle, stronger towards their rim. */
function rim() {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    polygonOffset: true, // a bound that has just snapped back lies on its sphere
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -4,
    uniforms: { tone: { value: new Color("#6f94e0") } },
    vertexShader: `varying vec3 normalSeen, towards;
      void main() {
        vec4 place = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
        normalSeen = mat3(modelViewMatrix) * normal;
        towards = -place.xyz;
        gl_Position = projectionMatrix * place;
      }`,
    fragmentShader: `uniform vec3 tone;
      varying vec3 normalSeen, towards;
      void main() {
        float edge = 1.0 - abs(dot(normalize(normalSeen), normalize(towards)));
        gl_FragColor = vec4(tone, mix(0.05, 0.8, edge * edge * edge));
        #include <colorspace_fragment>
      }`,
  });
}

function marksOf(size) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * MOST_MARKS), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(4 * MOST_MARKS), 4));
  const material = new PointsMaterial({
    size,
    sizeAttenuation: false,
    vertexColors: true,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    map: spot(),
  });
  const marks = new Points(geometry, material);
  marks.frustumCulled = false;
  marks.renderOrder = 3;
  return marks;
}

function spot() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.arc(16, 16, 14, 0, 7);
  context.fill();
  return new CanvasTexture(canvas);
}

/** Returns the corners of a box around everybody at some instants, where there are no walls. */
function extentOf(motion) {
  const { d, radii, n } = motion;
  const [lower, upper] = [new Array(d).fill(Infinity), new Array(d).fill(-Infinity)];
  for (let s = 0; s <= 40; s++) {
    motion.place(motion.t0 + ((motion.t1 - motion.t0) * s) / 40);
    for (let i = 0; i < n; i++) {
      if (!motion.isThere[i]) continue;
      for (let c = 0; c < d; c++) {
        lower[c] = Math.min(lower[c], motion.x[3 * i + c] - radii[i]);
        upper[c] = Math.max(upper[c], motion.x[3 * i + c] + radii[i]);
      }
    }
  }
  return Number.isFinite(lower[0]) ? [lower, upper] : [new Array(d).fill(-1), new Array(d).fill(1)];
}
