// The paths of origins over time: of links, and of objects that move.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import { point } from "./marks.js";
import { lastAt } from "../contact.js";

const COLOURS = ["#2f6fde", "#b3369c", "#11806a", "#b0560b"]; // stronger than those of objects, in turn

export class Paths {
  constructor(scene) {
    this.group = new Group();
    this.list = [];
    scene.add(this.group);
  }

  /** Shows the paths of some names, each in a colour. */
  show(names, scene) {
    this.group.traverse((part) => (part.geometry?.dispose(), part.material?.dispose()));
    this.group.clear();
    this.list = [...names].flatMap((name, k) => {
      const points = originsOf(name, scene);
      if (!points) return [];
      const material = new LineBasicMaterial({
        color: COLOURS[k % COLOURS.length],
        depthTest: false,
        transparent: true,
      });
      const line = new Line(new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3)), material);
      const dot = point(material.color);
      line.renderOrder = 8;
      this.group.add(line, dot);
      return [{ points, dot }];
    });
  }

  /** Puts the dot of each path to where its origin is at a time. */
  place(time, times) {
    const i = lastAt(times, time + 1e-9);
    const next = Math.min(i + 1, times.length - 1);
    const part = next > i ? Math.min(Math.max((time - times[i]) / (times[next] - times[i]), 0), 1) : 0;
    for (const { points, dot } of this.list)
      dot.position.lerpVectors(new Vector3().fromArray(points, 3 * i), new Vector3().fromArray(points, 3 * next), part);
  }
}

/** Returns the origins of a name at all instants (n, 3), null where it does not move. */
function originsOf(name, scene) {
  const n = scene.times.length;
  for (const { links, origins } of scene.robots) {
    const k = links.indexOf(name);
    if (k >= 0) return origins.slice(3 * n * k, 3 * n * (k + 1));
  }
  const body = scene.bodies.find((one) => one.name === name && one.n === n);
  if (!body) return null;
  const points = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) points[3 * i + k] = body.poses[k * n + i];
  return points;
}
