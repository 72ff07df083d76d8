// What views of models share: a camera that turns about a body, a floor, axes, and drawing when something has changed.
import { Box3, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { lookAt } from "./framing.js";
import { Gizmo } from "./gizmo.js";
import { Stage } from "./stage.js";

const VIEW = new Vector3(0.54, -0.71, 0.45).normalize();

export class ModelView {
  #dirty = false;

  /** Throws where the browser has no WebGL. */
  constructor(canvas, onDraw) {
    this.canvas = canvas;
    this.onDraw = onDraw;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.info.autoReset = false;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.stage = new Stage(this.scene);
    this.gizmo = new Gizmo();
  }

  /** Begins to draw: the camera shows all of an object. */
  open(object) {
    this.box = new Box3().setFromObject(object);
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.box.expandByScalar(0.02 * this.box.getSize(new Vector3()).length());
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => (this.stage.fit(this.box, this.dark.matches), this.invalidate()));
    this.stage.fit(this.box, this.dark.matches);
    new ResizeObserver(() => this.#resize()).observe(this.canvas.parentElement);
    this.canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.#resize();
    this.reset();
  }

  reset() {
    lookAt(this.camera, this.controls, cornersOf(this.box), VIEW);
    this.invalidate();
  }

  /** Turns towards a point and comes near. */
  focus(point) {
    const centre = new Vector3(...point);
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const middle = this.box.getCenter(new Vector3());
    const out = centre.clone().sub(middle).setZ(0);
    if (out.length() > 1e-6) direction.lerp(out.normalize(), 0.6).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, 0.55 * this.box.getSize(new Vector3()).length());
    this.controls.update();
    this.invalidate();
  }

  /** Draws once, before the next frame of the screen. */
  invalidate() {
    if (this.#dirty) return;
    this.#dirty = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** What a view does before each frame. */
  beforeDraw() {}

  #draw() {
    this.#dirty = false;
    const { width, height } = this.size;
    this.beforeDraw();
    this.renderer.info.reset();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.render(this.scene, this.camera);
    const { triangles } = this.renderer.info.render;
    this.gizmo.draw(this.renderer, this.camera, this.controls.target);
    this.onDraw(triangles);
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

function cornersOf({ min, max }) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
}
