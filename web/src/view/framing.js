// Where the camera stands at first: near enough, and where what matters can be seen.
import { Box3, Raycaster, Vector3 } from "three";

const AZIMUTH = -53; // degrees: from the front and the right
const ELEVATION = 27;
const SAMPLES = 24; // instants at which the room that bodies take is looked at
const CORNERS = 60; // vertices of a body that stand for all of them, and of all bodies together:
const ALL_CORNERS = 6000;

/** Returns points of all bodies at the moment, and of those over time that some objects own. */
export function momentOf(bodies, time, owners) {
  const points = cornersAt(bodies, time, () => true);
  for (const instant of instantsOf(bodies)) {
    const owned = cornersAt(bodies, instant, (body) => body.n > 1 && owners.has(body.name.split("/")[0]));
    for (const point of owned) points.push(point);
  }
  return points;
}

/** Returns points of all bodies over time as far as they matter to what moves, and the box around them. */
export function extentOf(bodies) {
  const points = cornersAt(bodies, bodies.times[0], (body) => body.n < 2);
  const all = new Box3().setFromPoints(points);
  const moving = new Box3();
  for (const instant of instantsOf(bodies)) {
    for (const point of cornersAt(bodies, instant, (body) => body.n > 1)) {
      moving.expandByPoint(point);
      points.push(point);
    }
  }
  all.union(moving);
  if (points.length === 0)
    return { box: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)), points: [new Vector3()] };
  const size = moving.isEmpty() ? Infinity : moving.getSize(new Vector3()).length();
  if (all.getSize(new Vector3()).length() < 2.2 * size) return { box: padded(all), points };
  const room = moving.expandByScalar(0.4 * size); // a hall is not shown whole for the sake of an arm in it
  return { box: padded(all.intersect(room)), points: points.map((point) => room.clampPoint(point, point)) };
}

function padded(box) {
  return box.expandByScalar(Math.max(1e-3 * box.getSize(new Vector3()).length(), 1e-6));
}

function instantsOf({ times }) {
  const last = times.length - 1;
  const frames = Array.from({ length: SAMPLES }, (_, k) => Math.round((k * last) / (SAMPLES - 1)));
  return [...new Set(frames)].map((frame) => times[frame]);
}

function cornersAt(bodies, time, isWanted) {
  bodies.place(time);
  const most = Math.max(Math.min(CORNERS, Math.floor(ALL_CORNERS / bodies.list.length)), 8);
  const corners = [];
  for (const { body, mesh } of bodies.list) {
    if (!isWanted(body)) continue;
    const position = mesh.geometry.attributes.position;
    const stride = Math.max(1, Math.floor(position.count / most));
    for (let i = 0; i < position.count; i += stride) {
      corners.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld));
    }
  }
  return corners;
}

/** Returns the direction to look from: as near to the usual one as sees a point and most of what moves. */
export function bestView(bodies, box, focus) {
  const reach = box.getSize(new Vector3()).length();
  const meshes = bodies.list.map(({ mesh }) => mesh);
  const targets = bodies.list.filter(({ body }) => body.n > 1).slice(0, 8);
  const ray = new Raycaster();
  const firstHit = (point, view) => {
    ray.set(point.clone().addScaledVector(view, 2 * reach), view.clone().negate());
    return ray.intersectObjects(meshes, false)[0];
  };
  const isSeen = (mesh, view) => {
    const middle = mesh.geometry.boundingSphere.center.clone().applyMatrix4(mesh.matrixWorld);
    return firstHit(middle, view)?.object === mesh;
  };
  let best = { score: -Infinity };
  for (const elevation of [ELEVATION, 48]) {
    for (const turn of [0, 30, -30, 60, -60, 95, -95, 130, -130, 180]) {
      const view = direction(AZIMUTH + turn, elevation);
      const effort = Math.abs(turn) / 240 + (elevation - ELEVATION) / 90;
      if (3 - effort <= best.score) continue; // not even a view of everything would be better
      const hit = focus && firstHit(focus, view);
      const sees = !hit || hit.distance > (2 - 0.025) * reach ? 1 : 0;
      const share = targets.filter(({ mesh }) => isSeen(mesh, view)).length / (targets.length || 1);
      const score = 2 * sees + share - effort;
      if (score > best.score) best = { score, view };
    }
  }
  return best.view;
}

function direction(azimuth, elevation) {
  const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
  return new Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e));
}

/** Puts the camera where it sees all points from a direction. */
export function lookAt(camera, controls, points, view) {
  const right = new Vector3().crossVectors(camera.up, view).normalize();
  const above = new Vector3().crossVectors(view, right);
  const axes = [right, above, view];
  const seen = points.map((point) => axes.map((axis) => point.dot(axis)));
  const middle = axes.map((_, k) => {
    const [low, high] = seen.reduce(
      ([l, u], p) => [Math.min(l, p[k]), Math.max(u, p[k])],
      [Infinity, -Infinity],
    );
    return (low + high) / 2;
  });
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  const wide = tall * camera.aspect;
  let distance = 1e-3;
  for (const [r, a, v] of seen) {
    const depth = v - middle[2];
    distance = Math.max(
      distance,
      depth + Math.abs(r - middle[0]) / wide,
      depth + Math.abs(a - middle[1]) / tall,
    );
  }
  distance *= 1.1;
  controls.target.set(0, 0, 0);
  axes.forEach((axis, k) => controls.target.addScaledVector(axis, middle[k]));
  camera.position.copy(controls.target).addScaledVector(view, distance);
  camera.near = distance / 500;
  camera.far = distance * 50;
  camera.updateProjectionMatrix();
  controls.minDistance = distance / 200;
  controls.maxDistance = distance * 8;
  controls.update();
}
