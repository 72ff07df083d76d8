// What surrounds the bodies: light, shadow, ground and grid.
import {
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
  ShadowMaterial,
  Vector3,
} from "three";

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
