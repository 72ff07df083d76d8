// The directions of the world's axes, small, in a corner of the view.
import {
  CanvasTexture,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Sprite,
  SpriteMaterial,
  Vector3,
} from "three";

const AXES = [
  { name: "x", direction: [1, 0, 0], colour: "#cf4b42" },
  { name: "y", direction: [0, 1, 0], colour: "#4c9a52" },
  { name: "z", direction: [0, 0, 1], colour: "#3f75d0" },
];
const SIZE = 84;

export class Gizmo {
  constructor() {
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(40, 1, 0.1, 10);
    this.camera.up.set(0, 0, 1);
    for (const axis of AXES) this.scene.add(axisOf(axis));
  }

  /** Draws the axes as the given camera sees them, over what is there. */
  draw(renderer, camera, target) {
    const away = camera.position.clone().sub(target).normalize().multiplyScalar(4.4);
    this.camera.position.copy(away);
    this.camera.lookAt(0, 0, 0);
    renderer.autoClear = false;
    renderer.setScissorTest(true);
    renderer.setScissor(4, 4, SIZE, SIZE);
    renderer.setViewport(4, 4, SIZE, SIZE);
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
    renderer.setScissorTest(false);
    renderer.autoClear = true;
  }
}

function axisOf({ name, direction, colour }) {
  const group = new Group();
  const material = new MeshBasicMaterial({ color: colour });
  const shaft = new Mesh(new CylinderGeometry(0.035, 0.035, 0.85, 8), material);
  const head = new Mesh(new ConeGeometry(0.1, 0.26, 12), material);
  shaft.position.y = 0.42;
  head.position.y = 0.95;
  group.add(shaft, head);
  group.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...direction));
  const label = new Sprite(new SpriteMaterial({ map: letter(name, colour), depthTest: false }));
  label.position.set(0, 1.32, 0);
  label.scale.setScalar(0.5);
  group.add(label);
  return group;
}

function letter(name, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.font = "600 48px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(name, 32, 30);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
