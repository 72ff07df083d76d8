// A length between two points that a user clicked on; approximate, because displayed surfaces are triangles.
import { BufferGeometry, Line, LineBasicMaterial, Vector3 } from "three";
import { point } from "./marks.js";
import { SELECTED } from "./colours.js";
import { length } from "../format.js";

export class Measure {
  constructor(scene, label) {
    this.label = label;
    this.points = [];
    this.ends = [point(SELECTED), point(SELECTED)];
    const material = new LineBasicMaterial({ color: SELECTED, depthTest: false, transparent: true });
    this.line = new Line(new BufferGeometry(), material);
    this.line.renderOrder = 12;
    scene.add(this.line, ...this.ends);
    this.clear();
  }

  clear() {
    this.points = [];
    this.#show();
  }

  /** Adds a point; a third one begins anew. */
  add(p) {
    if (this.points.length > 1) this.points = [];
    this.points.push(p.clone());
    this.#show();
  }

  #show() {
    this.ends.forEach((end, i) => {
      end.visible = i < this.points.length;
      if (end.visible) end.position.copy(this.points[i]);
    });
    this.line.visible = this.points.length === 2;
    if (!this.line.visible) return;
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry().setFromPoints(this.points);
  }

  /** Puts the label beside the line, and says what to do as long as there is none. */
  showLabel(isOn, camera, size) {
    this.label.hidden = !isOn;
    if (!isOn) return;
    const [from, to] = this.points;
    this.label.classList.toggle("hint", !to);
    if (!to) {
      this.label.textContent = from ? "Click on the second point." : "Click on two points to measure.";
      this.label.style.transform = "translate(12px, 56px)";
      return;
    }
    const parts = ["x", "y", "z"].map((axis) => `${axis} ${length(Math.abs(to[axis] - from[axis]))}`);
    this.label.textContent = `about ${length(from.distanceTo(to))} (${parts.join(", ")})`;
    const seen = new Vector3().lerpVectors(from, to, 0.5).project(camera);
    const x = Math.min(((seen.x + 1) / 2) * size.width + 10, size.width - 280);
    this.label.style.transform = `translate(${Math.max(x, 8)}px, ${((1 - seen.y) / 2) * size.height + 8}px)`;
  }
}
