// Spheres over the body that they cover, in three dimensions; what is outside of them is red.
import {
  BufferAttribute,
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
  SphereGeometry,
} from "three";
import { ramp } from "../crowd/colours.js";
import { ModelView } from "../view/model_view.js";
import { buildSurface } from "../view/surface.js";

const FEW = 400; // spheres that are drawn with more triangles each
const MANY = 6000; // ... and with fewer
const RED = new Color("#e0392b");
const LINKS = ["#5b8fd6", "#e0a13a", "#55a878", "#9a76cf", "#3fa9b5", "#c9735b", "#8cae3f", "#c76f9f",
  "#7d8896", "#b9a44c", "#4f6bb0", "#a3564f"];

/** Returns the colour of a link's spheres by its row in the table. */
export function linkColour(k) {
  return LINKS[k % LINKS.length];
}

export class SphereView extends ModelView {
  /** Throws where the browser has no WebGL. */
  constructor(canvas, payload, onDraw) {
    super(canvas, onDraw);
    this.payload = payload;
    this.grown = { value: 0 };
    this.bodies = new Group();
    for (const body of payload.bodies) this.bodies.add(bodyOf(body, this.grown));
    this.scene.add(this.bodies);
    this.spheres = new Group();
    this.scene.add(this.spheres);
    this.mark = markOf();
    this.scene.add(this.mark);
    this.open(this.bodies);
  }

  /** Shows a rank, spheres grown by a length, and a selected row; returns how many spheres are drawn. */
  show({ rank, grown, showSpheres, showBody, byLink, row }) {
    if (this.rank !== rank) this.#load(rank);
    if (this.rank !== rank || this.byLink !== byLink) this.#paint(this.payload.ranks[rank], byLink);
    [this.rank, this.byLink] = [rank, byLink];
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
    place(this.mesh, rank, this.grown.value);
    this.spheres.add(this.mesh);
  }

  /** Colours each sphere by its link, or by its excess. */
  #paint(rank, byLink) {
    if (!this.mesh) return;
    const colour = new Color();
    const top = rank.top || 1;
    for (let k = 0; k < rank.n; k++) {
      if (byLink) colour.set(linkColour(rank.link[k]));
      else colour.setRGB(...ramp(rank.excess[k] / top), "srgb");
      this.mesh.setColorAt(k, colour);
    }
    this.mesh.instanceColor.needsUpdate = true;
  }

  beforeDraw() {
    this.mark.scale.setScalar(0.012 * this.camera.position.distanceTo(this.mark.position));
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
