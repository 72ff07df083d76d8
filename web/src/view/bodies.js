// The bodies of a program: their surfaces, and where they are at a time.
import {
  BatchedMesh,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import { buildSurface } from "./surface.js";
import { CONTACT, SELECTED, TOO_CLOSE, coloursOf, fromFile } from "./colours.js";
import { lastAt } from "../contact.js";

const MANY = 300; // bodies that are drawn one by one; more are drawn in one batch, without edges and shadows

/** Returns the surfaces of all shapes, each made when it is first needed. */
export function surfaceCache(shapes) {
  const made = new Map();
  return (i) => {
    if (!made.has(i)) made.set(i, buildSurface(shapes[i].positions, shapes[i].triangles));
    return made.get(i);
  };
}

export class Bodies {
  #painted = "";

  /** Objects to draw, one for each body of the scene, or one for most of them where there are many. */
  constructor(scene, surfaceOf) {
    this.times = scene.times;
    this.surfaceOf = surfaceOf;
    this.group = new Group();
    this.colours = coloursOf(scene.bodies);
    const withVisual = new Set(scene.bodies.filter((body) => body.visual).map((body) => body.name));
    this.hasVisuals = withVisual.size > 0;
    this.list = scene.bodies.map((body) => ({
      body,
      colour: body.visual && body.colour ? fromFile(body.colour) : this.colours.get(body.name),
      geometry: surfaceOf(body.shape).surface,
      hasVisual: withVisual.has(body.name),
      matrix: new Matrix4(),
      isShown: true,
    }));
    this.isMany = this.list.length > MANY;
    if (this.isMany) this.#makeBatch();
    else for (const entry of this.list) this.#makeOwn(entry);
    for (const entry of this.list) this.#put(entry, 0, 0);
  }

  #makeBatch() {
    const corners = this.list.reduce((sum, { geometry }) => sum + geometry.attributes.position.count, 0);
    this.batch = new BatchedMesh(this.list.length, corners, 0, new MeshLambertMaterial({ side: 2 }));
    this.batch.sortObjects = false;
    const geometries = new Map();
    this.list.forEach((entry) => {
      if (!geometries.has(entry.body.shape)) geometries.set(entry.body.shape, this.batch.addGeometry(entry.geometry));
      entry.number = this.batch.addInstance(geometries.get(entry.body.shape));
      this.batch.setColorAt(entry.number, entry.colour);
    });
    this.entryOf = new Map(this.list.map((entry) => [entry.number, entry]));
    this.group.add(this.batch);
  }

  /** Makes a mesh with edges for a body, which can be painted on its own. */
  #makeOwn(entry) {
    const { colour, body } = entry;
    const material = new MeshStandardMaterial({
      color: colour,
      roughness: 0.72,
      metalness: 0.04,
      side: 2,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    entry.mesh = new Mesh(entry.geometry, material);
    entry.mesh.castShadow = entry.mesh.receiveShadow = !this.isMany;
    entry.lines = new LineSegments(
      this.surfaceOf(body.shape).edges,
      new LineBasicMaterial({ color: colour.clone().multiplyScalar(0.42), transparent: true, opacity: 0.55 }),
    );
    entry.mesh.add(entry.lines);
    entry.mesh.userData.entry = entry;
    entry.mesh.matrixAutoUpdate = false;
    entry.mesh.matrix.copy(entry.matrix);
    this.group.add(entry.mesh);
  }

  /** Returns the colour of an object or link as the view shows it, null where it has no shape. */
  colourOf(name) {
    const found = this.colours.get(name) ?? this.list.find(({ body }) => body.name.startsWith(`${name}/`))?.colour;
    return found ? `#${found.getHexString()}` : null;
  }

  /** Returns the number of the last instant at or before a time. */
  frameAt(time) {
    return lastAt(this.times, time + 1e-9);
  }

  /** Puts every body where it is at a time: exactly at an instant, linearly between two. */
  place(time) {
    const i = this.frameAt(time);
    const last = this.times.length - 1;
    const span = i < last ? this.times[i + 1] - this.times[i] : 1;
    const part = i < last ? Math.min(Math.max((time - this.times[i]) / span, 0), 1) : 0;
    for (const entry of this.list) if (entry.body.n > 1) this.#put(entry, i, part);
    this.group.updateMatrixWorld(true);
    return i;
  }

  #put(entry, frame, part) {
    poseAt(entry.body, Math.min(frame, entry.body.n - 1), part, entry.matrix);
    if (entry.number != null) this.batch.setMatrixAt(entry.number, entry.matrix);
    if (entry.mesh) {
      entry.mesh.matrix.copy(entry.matrix);
      entry.mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /**
   * Paints what touches red and what is too close amber, marks what is selected, and hides what is hidden.
   * `events` are by name, `xray` lets one see through all else, and `visual` shows visual shapes where there are any.
   */
  paint(events, selected, { xray, hidden, visual }) {
    const key = [[...events].join(), [...selected].join(), xray, [...hidden].join(), visual].join("|");
    if (key === this.#painted) return false;
    this.#painted = key;
    for (const entry of this.list) {
      const { name } = entry.body;
      const isHidden = hidden.has(name) || hidden.has(name.split("/")[0]);
      entry.isShown = !isHidden && (entry.hasVisual ? Boolean(entry.body.visual) === visual : true);
      const event = events.get(name);
      const chosen = selected.has(name);
      const stands = Boolean(event || chosen);
      if (stands && !entry.mesh) this.#makeOwn(entry);
      if (entry.number != null) this.batch.setVisibleAt(entry.number, entry.isShown && !stands);
      if (entry.mesh) {
        entry.mesh.visible = entry.isShown && (stands || entry.number == null);
        this.#paintOwn(entry, event, chosen, xray && !stands);
      }
    }
    if (this.batch) {
      const { material } = this.batch;
      Object.assign(material, { transparent: xray, opacity: xray ? 0.16 : 1, depthWrite: !xray });
      material.needsUpdate = true;
    }
    this.group.updateMatrixWorld(true);
    return true;
  }

  #paintOwn({ body, mesh, lines, colour }, event, chosen, thin) {
    const tone = event === "too close" ? TOO_CLOSE : CONTACT;
    const share = event ? (body.n > 1 ? 1 : 0.55) : 0; // what stands still is often large: paler
    mesh.material.color.copy(colour).lerp(tone, share);
    mesh.material.emissive.copy(tone).multiplyScalar(0.22 * share * share);
    Object.assign(mesh.material, { transparent: thin, opacity: thin ? 0.16 : 1, depthWrite: !thin });
    mesh.castShadow = !thin && !this.isMany;
    lines.material.color.copy(chosen ? SELECTED : event ? tone : colour).multiplyScalar(chosen ? 1 : 0.42);
    lines.material.opacity = chosen ? 1 : 0.55;
  }

  /** Returns the entry that a ray hits first and where, null where it hits none. */
  hit(ray) {
    const meshes = this.list.filter(({ mesh, isShown }) => mesh?.visible && isShown).map(({ mesh }) => mesh);
    const [found] = ray.intersectObjects(this.batch ? [this.batch, ...meshes] : meshes, false);
    if (!found) return null;
    const entry = found.object === this.batch ? this.entryOf.get(found.batchId) : found.object.userData.entry;
    return { entry, point: found.point, distance: found.distance };
  }

  /** Returns about so many vertices of a body, where it is now. */
  corners({ geometry, matrix }, most) {
    const { position } = geometry.attributes;
    const stride = Math.max(1, Math.floor(position.count / most));
    const corners = [];
    for (let i = 0; i < position.count; i += stride)
      corners.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(matrix));
    return corners;
  }

  dispose() {
    for (const { mesh, lines } of this.list) if (mesh) [mesh, lines].forEach((part) => part.material.dispose());
    this.batch?.dispose();
    this.group.removeFromParent();
  }
}

const [q0, q1] = [new Quaternion(), new Quaternion()];
const [p0, p1] = [new Vector3(), new Vector3()];
const ONE = new Vector3(1, 1, 1);

/** Writes the pose of a body in a frame, or a part of the interval to the next, to a matrix. */
export function poseAt(body, frame, part, matrix) {
  poseOf(body, frame, p0, q0);
  if (part > 0 && frame + 1 < body.n) {
    poseOf(body, frame + 1, p1, q1);
    p0.lerp(p1, part);
    q0.slerp(q1, part);
  }
  return matrix.compose(p0, q0, ONE);
}

function poseOf({ poses, n }, i, position, quaternion) {
  position.set(poses[i], poses[n + i], poses[2 * n + i]);
  quaternion.set(poses[3 * n + i], poses[4 * n + i], poses[5 * n + i], poses[6 * n + i]);
}
