// Triangles made ready to be drawn: smooth where the surface is smooth, with an edge where it bends.
import { BufferAttribute, BufferGeometry } from "three";

const CREASE = Math.cos((32 * Math.PI) / 180); // neighbouring triangles that bend more share an edge, not a normal

/** Returns the surface and its sharp edges, each as a geometry. */
export function buildSurface(positions, triangles) {
  const normals = faceNormals(positions, triangles);
  const surface = new BufferGeometry();
  surface.setAttribute("position", new BufferAttribute(cornerPositions(positions, triangles), 3));
  surface.setAttribute(
    "normal",
    new BufferAttribute(cornerNormals(positions.length / 3, triangles, normals), 3),
  );
  const edges = new BufferGeometry();
  edges.setAttribute("position", new BufferAttribute(sharpEdges(positions, triangles, normals), 3));
  surface.computeBoundingBox();
  surface.computeBoundingSphere();
  return { surface, edges };
}

function cornerPositions(positions, triangles) {
  const corners = new Float32Array(triangles.length * 3);
  for (let c = 0; c < triangles.length; c++) {
    for (let k = 0; k < 3; k++) corners[3 * c + k] = positions[3 * triangles[c] + k];
  }
  return corners;
}

/** Returns for each triangle its normal, as long as twice its area. */
function faceNormals(positions, triangles) {
  const normals = new Float64Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    normals.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], f);
  }
  return normals;
}

/** Returns for each corner the mean normal of those triangles at its vertex that bend little from its own. */
function cornerNormals(n, triangles, normals) {
  const start = new Uint32Array(n + 1);
  for (const vertex of triangles) start[vertex + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const faces = new Uint32Array(triangles.length);
  const fill = start.slice();
  for (let c = 0; c < triangles.length; c++) faces[fill[triangles[c]]++] = 3 * Math.floor(c / 3);
  const corners = new Float32Array(triangles.length * 3);
  for (let c = 0; c < triangles.length; c++) {
    const own = 3 * Math.floor(c / 3);
    let [x, y, z] = [0, 0, 0];
    for (let i = start[triangles[c]]; i < start[triangles[c] + 1]; i++) {
      if (faces[i] !== own && cosine(normals, own, faces[i]) < CREASE) continue;
      x += normals[faces[i]];
      y += normals[faces[i] + 1];
      z += normals[faces[i] + 2];
    }
    const size = Math.hypot(x, y, z) || 1;
    corners.set([x / size, y / size, z / size], 3 * c);
  }
  return corners;
}

/** Returns the ends of the edges that have one triangle only, or two that bend. */
function sharpEdges(positions, triangles, normals) {
  const n = positions.length / 3;
  const first = new Map();
  for (let c = 0; c < triangles.length; c++) {
    const face = 3 * Math.floor(c / 3);
    const [i, j] = [triangles[c], triangles[face + ((c + 1) % 3)]];
    const key = i < j ? i * n + j : j * n + i;
    const other = first.get(key);
    if (other === undefined) first.set(key, face);
    else if (other >= 0) first.set(key, cosine(normals, face, other) < CREASE ? -1 : -2);
  }
  const ends = [];
  for (const [key, state] of first) {
    if (state === -2) continue;
    for (const vertex of [Math.floor(key / n), key % n]) {
      for (let k = 0; k < 3; k++) ends.push(positions[3 * vertex + k]);
    }
  }
  return new Float32Array(ends);
}

function cosine(normals, f, g) {
  const [ax, ay, az] = [normals[f], normals[f + 1], normals[f + 2]];
  const [bx, by, bz] = [normals[g], normals[g + 1], normals[g + 2]];
  const sizes = Math.hypot(ax, ay, az) * Math.hypot(bx, by, bz);
  return sizes > 0 ? (ax * bx + ay * by + az * bz) / sizes : 1;
}
