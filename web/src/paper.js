// What only paper has: the programs that are not shown, and a page for signatures.
import { detailsOf } from "./details.js";
import { h } from "./dom.js";
import { dateText } from "./evidence.js";
import { counted } from "./format.js";
import { bannerOf, badge } from "./header.js";
import { paperTable } from "./table.js";

const ROLES = ["Prepared", "Checked", "Released"];

export function buildPaper(root, payload, store) {
  let added = [];
  const remove = () => {
    added.forEach((part) => part.remove());
    added = [];
  };
  window.addEventListener("beforeprint", () => {
    remove();
    added = payload.programs
      .filter((_, i) => i !== store.values.program)
      .map((entry) => programOnPaper(entry, payload));
    if (payload.evidence) added.push(signatures(payload));
    root.append(...added);
  });
  window.addEventListener("afterprint", remove);
}

function programOnPaper(entry, payload) {
  return h(
    "section",
    { class: "paper-program" },
    bannerOf(payload, entry),
    h("div", { class: "card side" }, paperTable(entry.report)),
    h("div", { class: "details" }, detailsOf(entry, payload, true)),
  );
}

/** Returns the page for signatures: what is signed, and lines for names. */
function signatures({ evidence, overall, programs }) {
  const cell = evidence.inputs.find(({ path }) => path === evidence.cell.split("/").at(-1));
  const rows = [
    ["Report", overall.title],
    ["Made", `${dateText(evidence.date)}, keepclear ${evidence.version}`],
    cell && ["Cell", [`${cell.path}, SHA-256 `, h("code", {}, cell.sha256)]],
    ["Inputs", `${counted(evidence.inputs.length, "file")}, with digests under Evidence`],
  ].filter((row) => row && row[1]);
  return h(
    "section",
    { class: "signatures" },
    h("h2", {}, "Signatures"),
    h("dl", { class: "rows" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h(
      "ul",
      { class: "verdicts" },
      programs.map(({ report, text }) =>
        h(
          "li",
          { "data-verdict": report.verdict },
          badge(report.verdict),
          h("span", {}, [report.program, `${report.verdict}: ${text}`].filter(Boolean).join(" \u00b7 ")),
        ),
      ),
    ),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["", "Name", "Date", "Signature"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ROLES.map((role) => h("tr", {}, h("th", { scope: "row" }, role), h("td"), h("td"), h("td")))),
    ),
    h(
      "p",
      { class: "note" },
      "The verdict holds for these input files, with the assumptions and the unchecked pairs that the report lists. ",
      "To make the report again: ",
      h("code", {}, "keepclear reproduce REPORT.json"),
    ),
  );
}
