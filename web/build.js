// Bundles one script for all pages but the overview of a fleet, which has its own, and a style for each, into the package: `npm ci`, then `npm run build`. The result is checked in.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = process.argv[2] ?? here("../src/keepclear/report/pages/static");

await build({
  entryPoints: {
    pages: here("src/pages.js"),
    report: here("src/styles/report.css"),
    crowd: here("src/styles/crowd.css"),
    model: here("src/styles/model.css"),
    fleet: here("src/fleet/main.js"),
  },
  outdir: target,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome103", "firefox113", "safari16.4"],
  legalComments: "none", // the licences are kept whole, in THIRD_PARTY.txt
  charset: "ascii",
  logLevel: "warning",
});

// Inside a page no text of ours may end the script or the style that holds it.
for (const name of ["pages.js", "report.css", "crowd.css", "model.css", "fleet.js", "fleet.css"]) {
  const text = await readFile(`${target}/${name}`, "utf8");
  if (/<\/(script|style)|<!--/i.test(text)) {
    await writeFile(`${target}/${name}`, text.replace(/<(?=\/(script|style)|!--)/gi, "\\x3c"));
  }
}

const parts = ["three", "uplot"].map(async (name) => {
  const { version } = JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8"));
  const licence = await readFile(here(`node_modules/${name}/LICENSE`), "utf8");
  return `${name} ${version}\n${"-".repeat(60)}\n${licence.trim()}\n`;
});
const intro = "Every page but the overview of a fleet contains parts of these libraries, under these licences.\n";
await writeFile(`${target}/THIRD_PARTY.txt`, [intro, ...(await Promise.all(parts))].join("\n"));
