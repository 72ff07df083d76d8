// What surrounds the bodies: light, shadow, ground and grid, and how the camera sees all of it at first.
import {
  Box3,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Raycaster,
  ShadowMaterial,
  Vector3,
} from "three";

const AZIMUTH = -53; // degrees: from the front and the right
const ELEVATION = 27;
const SAMPLES = 24; // instants at which the room that bodies take is looked at
const CORNERS = 60; // vertices of a body that stand for all of them

/** Returns points of all bodies at the moment, and of those over time that some objects own. */
export function momentOf(bodies, time, owners) {
  const points = [];
  const n = bodies.times.length;
  for (let k = -1; k < SAMPLES; k++) {
    bodies.place(k < 0 ? time : bodies.times[Math.round((k * (n - 1)) / (SAMPLES - 1))]);
    const wanted = bodies.list.filter(
      ({ body }) => k < 0 || (body.n > 1 && owners.has(body.name.split("/")[0])),
    );
    points.push(...wanted.flatMap(({ mesh }) => cornersOf(mesh)));
  }
  return points;
}

/** Returns points of all bodies over time as far as they matter to what moves, and the box around them. */
export function extentOf(bodies) {
  const [all, moving, points] = [new Box3(), new Box3(), []];
  const n = bodies.times.length;
  for (let k = 0; k < SAMPLES; k++) {
    bodies.place(bodies.times[Math.round((k * (n - 1)) / (SAMPLES - 1))]);
    for (const { body, mesh } of bodies.list) {
      if (body.n < 2 && k > 0) continue;
      for (const point of cornersOf(mesh)) {
        all.expandByPoint(point);
        if (body.n > 1) moving.expandByPoint(point);
        points.push(point);
      }
    }
  }
  if (points.length === 0)
    return { box: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)), points: [new Vector3()] };
  const size = moving.getSize(new Vector3()).length();
  if (moving.isEmpty() || all.getSize(new Vector3()).length() < 2.2 * size) return { box: all, points };
  const room = moving.expandByScalar(0.4 * size); // a hall is not shown whole for the sake of an arm in it
  return { box: all.intersect(room), points: points.map((point) => room.clampPoint(point, point)) };
}

function cornersOf(mesh) {
  const position = mesh.geometry.attributes.position;
  const stride = Math.max(1, Math.floor(position.count / CORNERS));
  const corners = [];
  for (let i = 0; i < position.count; i += stride)
    corners.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(mesh.matrixWorld));
  return corners;
}

/** Returns the direction to look from: as near to the usual one as sees a point and most of what moves. */
export function bestView(bodies, box, focus) {
  const reach = box.getSize(new Vector3()).length();
  const meshes = bodies.list.map(({ mesh }) => mesh);
  const ray = new Raycaster();
  const firstHit = (point, direction) => {
    ray.set(point.clone().addScaledVector(direction, 2 * reach), direction.clone().negate());
    return ray.intersectObjects(meshes, false)[0];
  };
  const targets = bodies.list.filter(({ body }) => body.n > 1).slice(0, 12);
  let best = { score: -Infinity };
  for (const elevation of [ELEVATION, 48]) {
    for (const turn of [0, 30, -30, 60, -60, 95, -95, 130, -130, 180]) {
      const view = direction(AZIMUTH + turn, elevation);
      const hit = focus && firstHit(focus, view);
      const sees = !hit || hit.distance > (2 - 0.025) * reach ? 1 : 0;
      const seen = targets.filter(
        ({ mesh }) =>
          firstHit(mesh.geometry.boundingSphere.center.clone().applyMatrix4(mesh.matrixWorld), view)
            ?.object === mesh,
      );
      const score =
        2 * sees + seen.length / (targets.length || 1) - Math.abs(turn) / 240 - (elevation - ELEVATION) / 90;
      if (score > best.score) best = { score, view };
    }
  }
  return best.view;
}

function direction(azimuth, elevation) {
  const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
  return new Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e));
}

export class Stage {
  constructor(scene) {
    this.group = new Group();
    this.light = new DirectionalLight("#ffffff", 1.9);
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(2048, 2048);
    this.light.shadow.radius = 5;
    this.light.shadow.bias = -0.0012;
    this.fill = new DirectionalLight("#dfe8ff", 0.5);
    this.sky = new HemisphereLight("#ffffff", "#a5a29e", 1.6);
    this.ground = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.2 }));
    this.ground.receiveShadow = true;
    this.grid = new Group();
    this.group.add(this.light, this.light.target, this.fill, this.sky, this.ground, this.grid);
    scene.add(this.group);
  }

  /** Fits light, ground and grid to a box; returns the width of a cell of the grid [m]. */
  fit(box, dark) {
    const [centre, size] = [box.getCenter(new Vector3()), box.getSize(new Vector3())];
    const radius = 0.5 * size.length();
    this.light.position.copy(centre).addScaledVector(new Vector3(0.45, -0.5, 1.25).normalize(), 3 * radius);
    this.light.target.position.copy(centre);
    this.fill.position.copy(centre).addScaledVector(new Vector3(-1, 0.8, 0.3), radius);
    Object.assign(this.light.shadow.camera, {
      left: -1.4 * radius,
      right: 1.4 * radius,
      top: 1.4 * radius,
      bottom: -1.4 * radius,
      near: 0.5 * radius,
      far: 6 * radius,
    });
    this.light.shadow.camera.updateProjectionMatrix();
    this.light.shadow.normalBias = 0.008 * radius;
    const z = box.min.z - 0.002 * radius;
    this.ground.position.set(centre.x, centre.y, z);
    this.ground.scale.setScalar(8 * radius);
    return this.#drawGrid(centre, radius, z, dark);
  }

  #drawGrid(centre, radius, z, dark) {
    const cell = niceStep((2 * radius) / 10);
    const n = Math.ceil((1.7 * radius) / cell);
    const [x0, y0] = [Math.round(centre.x / cell) * cell, Math.round(centre.y / cell) * cell];
    for (const part of this.grid.children) [part.geometry, part.material].forEach((thing) => thing.dispose());
    this.grid.clear();
    for (const strong of [false, true]) {
      const ends = [];
      for (let i = -n; i <= n; i++) {
        for (const [middle, across] of [
          [x0, false],
          [y0, true],
        ]) {
          const at = middle + i * cell;
          if (Math.abs(at) < cell / 4 !== strong) continue;
          const reach = Math.sqrt(Math.max(n * n - i * i, 0)) * cell;
          if (across) ends.push(x0 - reach, at, z, x0 + reach, at, z);
          else ends.push(at, y0 - reach, z, at, y0 + reach, z);
        }
      }
      const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(ends, 3));
      const material = new LineBasicMaterial({
        color: new Color(dark ? "#8fa0b5" : "#5b6a7d"),
        transparent: true,
        opacity: strong ? 0.45 : 0.17,
        depthWrite: false,
      });
      this.grid.add(new LineSegments(geometry, material));
    }
    return cell;
  }
}

function niceStep(width) {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 5, 10].find((step) => step * power >= width * 0.75) * power;
}

/** Puts the camera where it sees all points from a direction. */
export function lookAt(camera, controls, points, view) {
  const right = new Vector3().crossVectors(camera.up, view).normalize();
  const above = new Vector3().crossVectors(view, right);
  const axes = [right, above, view];
  const seen = points.map((point) => axes.map((axis) => point.dot(axis)));
  const middle = axes.map(
    (_, k) => (Math.min(...seen.map((p) => p[k])) + Math.max(...seen.map((p) => p[k]))) / 2,
  );
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
