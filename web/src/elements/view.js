// Convex elements in colours, and the hull around them: real faces, and those that span a gap.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from "three";
import { ModelView } from "../view/model_view.js";

const DIM = new Color("#c9ced6");

export class ElementView extends ModelView {
  /** Throws where the browser has no WebGL. */
  constructor(canvas, payload, onDraw) {
    super(canvas, onDraw);
    this.payload = payload;
    this.colours = payload.colours.map((colour) => new Color(colour));
    const { surface, lines } = surfacesOf(payload.arrays);
    this.rest = Float32Array.from(surface.getAttribute("position").array);
    this.restLines = Float32Array.from(lines.getAttribute("position").array);
    this.elements = new Group();
    this.elements.add(
      new Mesh(
        surface,
        new MeshStandardMaterial({
          vertexColors: true,
          roughness: 0.8,
          side: DoubleSide,
          flatShading: true,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        }),
      ),
      new LineSegments(lines, new LineBasicMaterial({ color: "#26303c", transparent: true, opacity: 0.7 })),
    );
    this.scene.add(this.elements);
    this.hull = hullOf(payload);
    this.scene.add(this.hull);
    this.open(this.elements);
  }

  show({ row, apart, showElements, showHull, onlyConcave }) {
    const chosen = this.payload.rows[row]?.element ?? -1;
    if (this.chosen !== chosen) this.#paint(chosen);
    if (this.apart !== apart || this.onlyConcave !== onlyConcave) this.#place(apart, onlyConcave);
    Object.assign(this, { chosen, apart, onlyConcave });
    this.elements.visible = showElements;
    this.hull.visible = showHull;
    this.invalidate();
  }

  /** Colours the triangles, all but those of the chosen element pale. */
  #paint(chosen) {
    const { elements } = this.payload.arrays;
    const colours = this.elements.children[0].geometry.getAttribute("color");
    for (let t = 0; t < elements.length; t++) {
      const own = this.colours[elements[t]];
      const colour = chosen < 0 || chosen === elements[t] ? own : DIM;
      for (let k = 0; k < 3; k++) colours.setXYZ(3 * t + k, colour.r, colour.g, colour.b);
    }
    colours.needsUpdate = true;
  }

  /** Moves elements away from the middle; those that are left out shrink to a point. */
  #place(apart, onlyConcave) {
    const { elements, middles, signs, line_elements: owners } = this.payload.arrays;
    const centre = [0, 1, 2].map((k) => 0.5 * (this.box.min.getComponent(k) + this.box.max.getComponent(k)));
    const move = (geometry, rest, owner, corners) => {
      const positions = geometry.getAttribute("position");
      for (let t = 0; t < owner.length; t++) {
        const e = owner[t];
        const isHidden = onlyConcave && signs[e] > 0;
        for (let i = corners * t; i < corners * (t + 1); i++) {
          for (let k = 0; k < 3; k++) {
            const middle = middles[3 * e + k];
            positions.array[3 * i + k] = (isHidden ? middle : rest[3 * i + k]) + apart * (middle - centre[k]);
          }
        }
      }
      positions.needsUpdate = true;
      geometry.computeBoundingSphere();
    };
    const [mesh, lines] = this.elements.children;
    move(mesh.geometry, this.rest, elements, 3);
    move(lines.geometry, this.restLines, owners, 2);
  }
}

/** Returns the triangles, each with its own corners, and the edges around elements. */
function surfacesOf({ positions, triangles, lines: ends }) {
  const surface = new BufferGeometry();
  surface.setAttribute("position", cornersOf(positions, triangles));
  surface.setAttribute("color", new BufferAttribute(new Float32Array(3 * triangles.length), 3));
  const lines = new BufferGeometry();
  lines.setAttribute("position", cornersOf(positions, ends));
  return { surface, lines };
}

function cornersOf(positions, indices) {
  const corners = new Float32Array(3 * indices.length);
  for (let c = 0; c < indices.length; c++) {
    for (let k = 0; k < 3; k++) corners[3 * c + k] = positions[3 * indices[c] + k];
  }
  return new BufferAttribute(corners, 3);
}

/** Returns the hull: one translucent surface for the faces of each virtuality. */
function hullOf({ arrays, hull_colours: colours }) {
  const { positions, hull_triangles: triangles, hull_kinds: kinds } = arrays;
  const group = new Group();
  colours.forEach(([colour, opacity], kind) => {
    const mine = [];
    kinds.forEach((value, t) => {
      if (value === kind) mine.push(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    });
    if (!mine.length) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", cornersOf(positions, mine));
    const mesh = new Mesh(
      geometry,
      new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: DoubleSide }),
    );
    mesh.renderOrder = 2 + kind;
    group.add(mesh);
  });
  return group;
}
