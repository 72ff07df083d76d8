// Reads what Python put into the page: the report as JSON, and arrays packed into one block of bytes.

const ARRAYS = {
  f4: Float32Array,
  f8: Float64Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
};

/** Returns what JSON says, and a function that returns the array of a description in it. */
export async function readPacked() {
  const payload = JSON.parse(document.getElementById("keepclear-report").textContent);
  const bytes = await unpacked(document.getElementById("keepclear-data").textContent, payload.packing);
  const array = ({ at, n, kind }) => {
    const size = ARRAYS[kind].BYTES_PER_ELEMENT;
    return new ARRAYS[kind](bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + n * size));
  };
  return { payload, array };
}

/** Returns the payload of a report with its arrays in place of their descriptions. */
export async function readPayload() {
  const { payload, array } = await readPacked();
  for (const shape of payload.shapes) {
    shape.positions = array(shape.positions);
    shape.triangles = array(shape.triangles);
  }
  for (const program of payload.programs) {
    for (const pair of program.report.pairs) if (pair.curve) pair.curve = curveArrays(pair.curve, array);
    if (program.scene) sceneArrays(program.scene, array);
  }
  return payload;
}

function curveArrays(curve, array) {
  return Object.fromEntries(Object.entries(curve).map(([name, place]) => [name, array(place)]));
}

function sceneArrays(scene, array) {
  scene.times = array(scene.times);
  for (const body of scene.bodies) body.poses = array(body.poses);
  for (const robot of scene.robots) [robot.q, robot.origins] = [array(robot.q), array(robot.origins)];
}

async function unpacked(text, packing) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (packing === "none") return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(packing));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
