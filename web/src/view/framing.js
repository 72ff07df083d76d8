// Where the camera stands: near enough, and where what matters can be seen.
import { Box3, Raycaster, Vector3 } from "three";

const AZIMUTH = -53; // degrees: from the front and the right
const ELEVATION = 27;
const CENTRING = 4; // rounds in which what is seen is brought to the middle of the picture
const SAMPLES = 24; // instants at which the extent of bodies is sampled
const CORNERS = 60; // vertices of a body that stand for all of them, and of all bodies together:
const ALL_CORNERS = 6000;

/** Returns points around what a pair is about: near its focus, as large as the smaller of its bodies. */
export function pairPoints(bodies, pair, focus, box) {
  const whole = box.getSize(new Vector3()).length();
  const own = [pair.a, pair.b].map((name) => new Box3().setFromPoints(cornersOf(bodies, name)));
  const known = own.filter((one) => !one.isEmpty());
  const sizes = known.map((one) => one.getSize(new Vector3()).length());
  const size = Math.min(...sizes, whole);
  const centre = focus ?? known[sizes.indexOf(size)]?.getCenter(new Vector3()) ?? box.getCenter(new Vector3());
  return around(centre, Math.min(Math.max(0.65 * size, 0.05 * whole), 0.3 * whole));
}

/** Returns points around an object or link, where it is now. */
export function objectPoints(bodies, name) {
  const box = new Box3().setFromPoints(cornersOf(bodies, name));
  if (box.isEmpty()) return null;
  return around(box.getCenter(new Vector3()), 0.6 * box.getSize(new Vector3()).length());
}

function cornersOf(bodies, name) {
  const own = bodies.list.filter(({ body }) => body.name === name || body.name.startsWith(`${name}/`));
  return own.flatMap((entry) => bodies.corners(entry, CORNERS));
}

/** Returns the corners of a cube around a ball. */
function around(centre, radius) {
  const sides = [-radius, radius];
  return sides.flatMap((x) =>
    sides.flatMap((y) => sides.map((z) => centre.clone().add(new Vector3(x, y, z).multiplyScalar(0.7)))),
  );
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
  const most = Math.max(Math.min(CORNERS, Math.floor(ALL_CORNERS / bodies.list.length)), 4);
  return bodies.list.filter(({ body }) => isWanted(body)).flatMap((entry) => bodies.corners(entry, most));
}

/** Returns the direction to look from: as near to the usual one as sees a point and most of what moves. */
export function bestView(bodies, box, focus) {
  const reach = box.getSize(new Vector3()).length();
  const targets = bodies.list.filter(({ body, isShown }) => body.n > 1 && isShown).slice(0, 8);
  const ray = new Raycaster();
  const firstHit = (point, view) => {
    ray.set(point.clone().addScaledVector(view, 2 * reach), view.clone().negate());
    return bodies.hit(ray);
  };
  const isSeen = (entry, view) => {
    const middle = entry.geometry.boundingSphere.center.clone().applyMatrix4(entry.matrix);
    return firstHit(middle, view)?.entry === entry;
  };
  let best = { score: -Infinity };
  for (const elevation of [ELEVATION, 48]) {
    for (const turn of [0, 30, -30, 60, -60, 95, -95, 130, -130, 180]) {
      const view = direction(AZIMUTH + turn, elevation);
      const effort = Math.abs(turn) / 240 + (elevation - ELEVATION) / 90;
      if (3 - effort <= best.score) continue; // not even a view of everything would be better
      const hit = focus && firstHit(focus, view);
      const sees = !hit || hit.distance > (2 - 0.025) * reach ? 1 : 0;
      const share = targets.filter((entry) => isSeen(entry, view)).length / (targets.length || 1);
      const score = 2 * sees + share - effort;
      if (score > best.score) best = { score, view };
    }
  }
  return best.view;
}

/** Returns the direction to a camera at these angles [degrees]. */
export function direction(azimuth, elevation) {
  const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
  return new Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e));
}

/** Returns the middle between the least and the largest of some numbers. */
function middleOf(numbers) {
  const [low, high] = numbers.reduce(([l, u], x) => [Math.min(l, x), Math.max(u, x)], [Infinity, -Infinity]);
  return (low + high) / 2;
}

/** Puts the camera where it sees all points from a direction; `box` is around the whole scene. */
export function lookAt(camera, controls, points, view, box = new Box3().setFromPoints(points)) {
  const right = new Vector3().crossVectors(camera.up, view).normalize();
  const above = new Vector3().crossVectors(view, right);
  const axes = [right, above, view];
  const seen = points.map((point) => axes.map((axis) => point.dot(axis)));
  const middle = axes.map((_, k) => middleOf(seen.map((point) => point[k])));
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  const wide = tall * camera.aspect;
  let distance = 1e-3;
  for (let round = 0; round < CENTRING; round++) {
    distance = 1e-3;
    for (const [r, a, v] of seen) {
      const depth = v - middle[2];
      const across = Math.max(Math.abs(r - middle[0]) / wide, Math.abs(a - middle[1]) / tall);
      distance = Math.max(distance, depth + across);
    }
    distance *= 1.08;
    // What is near looks larger, so that the middle of the picture is not that of the points.
    for (const k of [0, 1])
      middle[k] += distance * middleOf(seen.map((p) => (p[k] - middle[k]) / (distance - p[2] + middle[2])));
  }
  controls.target.set(0, 0, 0);
  axes.forEach((axis, k) => controls.target.addScaledVector(axis, middle[k]));
  camera.position.copy(controls.target).addScaledVector(view, distance);
  const whole = Math.max(distance, box.getSize(new Vector3()).length());
  camera.near = distance / 200;
  camera.far = whole * 30;
  camera.updateProjectionMatrix();
  controls.minDistance = distance / 100;
  controls.maxDistance = whole * 6;
  controls.update();
}
