// The bodies of a program: their surfaces, and where they are at a time.
import {
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import { buildSurface } from "./surface.js";
import { CONTACT, SELECTED, coloursOf } from "./colours.js";

/** Returns the surfaces of all shapes, each made when it is first asked for. */
export function surfaceCache(shapes) {
  const made = new Map();
  return (i) => {
    if (!made.has(i)) made.set(i, buildSurface(shapes[i].positions, shapes[i].triangles));
    return made.get(i);
  };
}

export class Bodies {
  /** Objects to draw, one for each body of the scene. */
  constructor(scene, surfaceOf) {
    this.times = scene.times;
    this.group = new Group();
    const colours = coloursOf(scene.bodies);
    this.list = scene.bodies.map((body) => this.#made(body, surfaceOf(body.shape), colours.get(body.name)));
  }

  #made(body, { surface, edges }, colour) {
    const material = new MeshStandardMaterial({
      color: colour,
      roughness: 0.72,
      metalness: 0.04,
      side: 2,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const mesh = new Mesh(surface, material);
    mesh.castShadow = mesh.receiveShadow = true;
    const lines = new LineSegments(
      edges,
      new LineBasicMaterial({ color: colour.clone().multiplyScalar(0.42), transparent: true, opacity: 0.55 }),
    );
    mesh.add(lines);
    mesh.userData.name = body.name;
    this.group.add(mesh);
    return { body, mesh, lines, colour };
  }

  /** Returns the number of the last instant at or before a time. */
  frameAt(time) {
    const { times } = this;
    let low = 0;
    for (let high = times.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Puts every body where it is at a time: exactly at an instant, evenly between two. */
  place(time) {
    const i = this.frameAt(time);
    const last = this.times.length - 1;
    const span = i < last ? this.times[i + 1] - this.times[i] : 1;
    const part = i < last ? Math.min(Math.max((time - this.times[i]) / span, 0), 1) : 0;
    for (const { body, mesh } of this.list) setPose(mesh, body, Math.min(i, body.n - 1), part);
    this.group.updateMatrixWorld(true);
    return i;
  }

  /** Paints what touches red, and marks what is selected; `xray` lets one see through all else. */
  paint(touching, selected, xray) {
    for (const { body, mesh, lines, colour } of this.list) {
      const hit = touching.has(body.name);
      const share = hit ? (body.n > 1 ? 1 : 0.55) : 0; // what stands still is often large: paler
      mesh.material.color.copy(colour).lerp(CONTACT, share);
      mesh.material.emissive.copy(CONTACT).multiplyScalar(0.22 * share * share);
      const chosen = selected.has(body.name);
      const thin = xray && !chosen && !hit;
      Object.assign(mesh.material, { transparent: thin, opacity: thin ? 0.16 : 1, depthWrite: !thin });
      mesh.castShadow = !thin;
      lines.material.color.copy(chosen ? SELECTED : hit ? CONTACT : colour).multiplyScalar(chosen ? 1 : 0.42);
      lines.material.opacity = chosen ? 1 : 0.55;
    }
  }

  dispose() {
    for (const { mesh, lines } of this.list) [mesh, lines].forEach((part) => part.material.dispose());
    this.group.removeFromParent();
  }
}

const [q0, q1] = [new Quaternion(), new Quaternion()];
const [p0, p1] = [new Vector3(), new Vector3()];

/** Sets an object's pose to that of a body in a frame, or a part of the way to the next. */
export function setPose(object, body, frame, part = 0) {
  poseOf(body, frame, p0, q0);
  if (part > 0 && frame + 1 < body.n) {
    poseOf(body, frame + 1, p1, q1);
    p0.lerp(p1, part);
    q0.slerp(q1, part);
  }
  object.position.copy(p0);
  object.quaternion.copy(q0);
}

function poseOf({ poses, n }, i, position, quaternion) {
  position.set(poses[i], poses[n + i], poses[2 * n + i]);
  quaternion.set(poses[3 * n + i], poses[4 * n + i], poses[5 * n + i], poses[6 * n + i]);
}
