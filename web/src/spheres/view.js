// Spheres over the body that they cover, in three dimensions; what is outside of them is red.
import {
  BufferAttribute,
  Box3,
  Color,
  DoubleSide,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ramp } from "../crowd/colours.js";
import { Gizmo } from "../view/gizmo.js";
import { lookAt } from "../view/framing.js";
import { Stage } from "../view/stage.js";
import { buildSurface } from "../view/surface.js";

const VIEW = new Vector3(0.54, -0.71, 0.45).normalize();
const FEW = 400; // spheres that are drawn with more triangles each
const MANY = 6000; // ... and with fewer
const RED = new Color("#e0392b");

export class SphereView {
  #dirty = false;

  /** Throws where the browser has no WebGL. */
  constructor(canvas, payload, onDraw) {
    this.canvas = canvas;
    this.payload = payload;
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
    this.grown = { value: 0 };
    this.bodies = new Group();
    for (const body of payload.bodies) this.bodies.add(bodyOf(body, this.grown));
    this.scene.add(this.bodies);
    this.spheres = new Group();
    this.scene.add(this.spheres);
    this.mark = markOf();
    this.scene.add(this.mark);
    this.box = new Box3().setFromObject(this.bodies);
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.box.expandByScalar(0.02 * this.box.getSize(new Vector3()).length());
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => (this.stage.fit(this.box, this.dark.matches), this.invalidate()));
    this.stage.fit(this.box, this.dark.matches);
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.#resize();
    this.reset();
  }

  reset() {
    lookAt(this.camera, this.controls, cornersOf(this.box), VIEW);
    this.invalidate();
  }

  /** Shows a rank, spheres grown by a length, and a selected row; returns how many spheres are drawn. */
  show({ rank, grown, showSpheres, showBody, row }) {
    if (this.rank !== rank) this.#load(rank);
    this.rank = rank;
    this.grown.value = grown;
    if (this.mesh && this.mesh.userData.grown !== grown) place(this.mesh, this.payload.ranks[rank], grown);
    this.spheres.visible = showSpheres;
    this.bodies.visible = showBody;
    const point = this.payload.rows[row]?.point;
    this.mark.visible = Boolean(point);
    if (point) this.mark.position.set(...point);
    this.invalidate();
    return this.mesh?.count ?? 0;
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

  #load(number) {
    this.spheres.clear();
    this.mesh?.geometry.dispose();
    this.mesh?.material.dispose();
    this.mesh?.dispose();
    this.mesh = null;
    const rank = this.payload.ranks[number];
    if (!rank?.centers) return;
    const detail = rank.n <= FEW ? 5 : rank.n <= MANY ? 2 : 1;
    const material = new MeshLambertMaterial({ transparent: true, opacity: 0.42, depthWrite: rank.n > 1 });
    this.mesh = new InstancedMesh(new IcosahedronGeometry(1, detail), material, rank.n);
    this.mesh.frustumCulled = false;
    const colour = new Color();
    const top = rank.top || 1;
    for (let k = 0; k < rank.n; k++) {
      this.mesh.setColorAt(k, colour.setRGB(...ramp(rank.excess[k] / top), "srgb"));
    }
    place(this.mesh, rank, this.grown.value);
    this.spheres.add(this.mesh);
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
    this.mark.scale.setScalar(0.012 * this.camera.position.distanceTo(this.mark.position));
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

function place(mesh, rank, grown) {
  const matrix = new Matrix4();
  for (let k = 0; k < rank.n; k++) {
    const radius = rank.radii[k] + grown;
    matrix.makeScale(radius, radius, radius);
    matrix.setPosition(rank.centers[3 * k], rank.centers[3 * k + 1], rank.centers[3 * k + 2]);
    mesh.setMatrixAt(k, matrix);
  }
  mesh.instanceMatrix.needsUpdate = true;
  mesh.userData.grown = grown;
}

/** Returns a body whose surface is red where it is farther from the spheres than they are grown. */
function bodyOf({ positions, triangles, outside }, grown) {
  const { surface, edges } = buildSurface(positions, triangles);
  const material = new MeshStandardMaterial({ color: "#b9c0ca", roughness: 0.75, metalness: 0.0, side: DoubleSide });
  if (outside) {
    const corners = Float32Array.from(triangles, (vertex) => outside[vertex]);
    surface.setAttribute("outside", new BufferAttribute(corners, 1));
    material.onBeforeCompile = (shader) => {
      shader.uniforms.grown = grown;
      shader.uniforms.red = { value: RED };
      shader.vertexShader = `attribute float outside;\nvarying float vOutside;\n${shader.vertexShader}`.replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\nvOutside = outside;",
      );
      shader.fragmentShader =
        `uniform float grown;\nuniform vec3 red;\nvarying float vOutside;\n${shader.fragmentShader}`.replace(
          "#include <color_fragment>",
          "#include <color_fragment>\nif (vOutside > grown) diffuseColor.rgb = red;",
        );
    };
  }
  const group = new Group();
  const mesh = new Mesh(surface, material);
  mesh.renderOrder = -1;
  group.add(mesh);
  if (!outside) {
    const line = new LineBasicMaterial({ color: "#3c4653", transparent: true, opacity: 0.35 });
    group.add(new LineSegments(edges, line));
  }
  return group;
}

function markOf() {
  const mark = new Mesh(
    new SphereGeometry(1, 20, 14),
    new MeshBasicMaterial({ color: "#111820", depthTest: false, transparent: true, opacity: 0.9 }),
  );
  mark.renderOrder = 5;
  mark.visible = false;
  return mark;
}

function cornersOf({ min, max }) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
}
