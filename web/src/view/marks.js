// What is drawn about the selected pair: contact point and normal, closest points, and the pose at first contact.
import {
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import { poseAt } from "./bodies.js";
import { CONTACT, SELECTED, TOO_CLOSE } from "./colours.js";

const UP = new Vector3(0, 1, 0);
const GHOST = { transparent: true, depthWrite: false };
const ON_TOP = { depthTest: false, transparent: true, toneMapped: false };

/** Returns a point that `pointScale` keeps as large on the screen from near and from far. */
export function point(colour) {
  const group = new Group();
  const halo = new Mesh(
    new SphereGeometry(1.5, 20, 14),
    new MeshBasicMaterial({ color: "#ffffff", ...ON_TOP, opacity: 0.85 }),
  );
  const core = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial({ color: colour, ...ON_TOP }));
  halo.renderOrder = 10;
  core.renderOrder = 11;
  group.add(halo, core);
  return group;
}

function arrow(colour) {
  const material = new MeshBasicMaterial({ color: colour, ...ON_TOP });
  const shaft = new Mesh(new CylinderGeometry(0.32, 0.32, 8, 10), material);
  const head = new Mesh(new ConeGeometry(1.1, 3.2, 16), material);
  shaft.position.y = 4;
  head.position.y = 9;
  shaft.renderOrder = head.renderOrder = 11;
  return new Group().add(shaft, head);
}

export class Marks {
  constructor(scene) {
    this.contact = point(CONTACT);
    this.normal = arrow(CONTACT);
    this.ends = [point(SELECTED), point(SELECTED)];
    this.segment = new Line(new BufferGeometry(), new LineBasicMaterial({ color: SELECTED, ...ON_TOP }));
    this.segment.renderOrder = 9;
    this.ghost = new Group();
    this.all = [this.contact, this.normal, ...this.ends, this.segment, this.ghost];
    scene.add(...this.all);
  }

  /** Shows what is known about a pair, paler if it is of another time; returns the points that the view is centred on. */
  show(pair, contact, isNow) {
    for (const part of [this.contact, this.normal, ...this.ends, this.segment]) {
      part.traverse(({ material }) => material && (material.opacity = isNow ? 1 : 0.45));
    }
    const closest = pair && !contact && pair.p_WA && pair.p_WB;
    const tone = pair?.margin > 0 ? TOO_CLOSE : CONTACT; // a contact begins where the margin is reached
    this.contact.children[1].material.color.copy(tone);
    this.normal.traverse(({ material }) => material?.color.copy(tone));
    this.#placeContact(contact);
    for (const part of [...this.ends, this.segment]) part.visible = Boolean(closest);
    if (closest) {
      const points = [pair.p_WA, pair.p_WB].map((p) => new Vector3(...p));
      points.forEach((p, i) => this.ends[i].position.copy(p));
      this.segment.geometry.dispose();
      this.segment.geometry = new BufferGeometry().setFromPoints(points);
      return points;
    }
    return contact?.p_W ? [this.contact.position.clone()] : [];
  }

  #placeContact(contact) {
    this.contact.visible = Boolean(contact?.p_W);
    this.normal.visible = Boolean(contact?.p_W && contact.normal_W);
    if (!contact?.p_W) return;
    this.contact.position.set(...contact.p_W);
    this.normal.position.copy(this.contact.position);
    if (contact.normal_W)
      this.normal.quaternion.setFromUnitVectors(UP, new Vector3(...contact.normal_W).normalize());
  }

  /** Shows the moving objects of a pair, with all their links, as they are in a frame; null hides them. */
  showGhost(bodies, pair, frame) {
    this.ghost.traverse((part) => part.material?.dispose());
    this.ghost.clear();
    if (!bodies || !pair || frame == null) return;
    const owners = new Set([pair.a, pair.b].map((name) => name.split("/")[0]));
    const tone = pair.margin > 0 ? TOO_CLOSE : CONTACT;
    for (const { body, geometry } of bodies.list) {
      if (body.n < 2 || body.visual || !owners.has(body.name.split("/")[0])) continue;
      const hit = body.name === pair.a || body.name === pair.b;
      const colour = hit ? tone : new Color("#6f7d90");
      const copy = new Mesh(
        geometry,
        new MeshBasicMaterial({ color: colour, ...GHOST, opacity: hit ? 0.4 : 0.16 }),
      );
      copy.add(
        new LineSegments(
          bodies.surfaceOf(body.shape).edges,
          new LineBasicMaterial({ color: colour, ...GHOST, opacity: hit ? 0.8 : 0.4 }),
        ),
      );
      poseAt(body, frame, 0, copy.matrix);
      copy.matrixAutoUpdate = false;
      copy.renderOrder = 5;
      this.ghost.add(copy);
    }
  }

  /** Makes points and arrows as large on the screen as they should be. */
  resize(camera, height) {
    const world = (position, pixels) => pointScale(camera, height, position, pixels);
    this.contact.scale.setScalar(world(this.contact.position, 5));
    this.normal.scale.setScalar(world(this.normal.position, 5));
    for (const end of this.ends) end.scale.setScalar(world(end.position, 3.5));
  }
}

/** Returns how large something has to be at a position to be so many pixels on the screen. */
export function pointScale(camera, height, position, pixels) {
  const depth = Math.max(position.distanceTo(camera.position), 1e-6);
  return (2 * depth * Math.tan((camera.fov * Math.PI) / 360) * pixels) / height;
}
