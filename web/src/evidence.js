// What a report was made of, by what and when: for people who make it again and compare.
import { h } from "./dom.js";
import { grouped } from "./format.js";

/** Returns the rows and the table of input files. */
export function evidenceContent(evidence) {
  const rows = [
    ["Made by", `keepclear ${evidence.version}${evidence.sources ? `, sources ${evidence.sources}` : ""}`],
    ["Date", dateText(evidence.date)],
    ["Platform", evidence.platform],
    ["Command", code(evidence.command)],
    ["Settings", settingsText(evidence.settings)],
    ["Make again", code("keepclear reproduce REPORT.json"), "where REPORT.json is the report as JSON (--json)"],
  ].filter(([, value]) => value);
  return h(
    "div",
    {},
    h(
      "dl",
      { class: "rows" },
      rows.map(([name, value, more]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, value, more && h("span", { class: "note" }, ` ${more}`))),
      ),
    ),
    h("h3", {}, "Input files", h("span", { class: "count" }, String(evidence.inputs.length))),
    h("div", { class: "groups" }, inputTable(evidence.inputs)),
  );
}

/** Returns a date of ISO 8601 as people read it. */
export function dateText(date) {
  return date.replace("T", " ").replace(/Z$/, " UTC");
}

function code(text) {
  return text && h("code", {}, text);
}

/** Returns the settings that differ from "as the cell says". */
function settingsText(settings) {
  const given = Object.entries(settings).filter(([, value]) => value != null);
  return given.map(([name, value]) => `${name.replaceAll("_", " ")}: ${typeof value === "boolean" ? (value ? "yes" : "no") : value}`).join(", ");
}

function inputTable(inputs) {
  return h(
    "table",
    { class: "inputs" },
    h("thead", {}, h("tr", {}, ["File", "Bytes", "SHA-256"].map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      inputs.map(({ path, size, sha256 }) =>
        h("tr", {}, h("td", {}, path), h("td", { class: "size" }, grouped(size)), h("td", {}, h("code", {}, sha256))),
      ),
    ),
  );
}
