// What happens to pairs, in words: contacts, pairs that are too close, and how long that lasts.
import { contactSpans } from "./contact.js";
import { counted, duration, length } from "./format.js";

/** The events in the order in which they matter, with their names for one and for several pairs. */
export const EVENTS = {
  contact: { one: "contact", many: "contacts", title: "Contacts" },
  "too close": { one: "too close", many: "too close", title: "Too close" },
  undecided: { one: "undecided", many: "undecided", title: "Undecided" },
  clear: { one: "clear", many: "clear", title: "Clear" },
};

/** Returns how many pairs there are of each event, such as "5 contacts, 6 too close, 133 clear". */
export function eventCounts(pairs) {
  return (
    Object.entries(EVENTS)
      .map(([event, { one, many }]) => {
        const n = pairs.filter((pair) => pair.event === event).length;
        return n > 0 && `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
      })
      .filter(Boolean)
      .join(", ") || "none"
  );
}

/** Returns how long the contacts of a pair last in all, "" where that is not known. */
export function durationText(pair, report) {
  const spans = contactSpans(pair, report);
  if (spans.length === 0 || !spans.every((span) => span.known) || report.t1 <= report.t0) return "";
  const total = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const times = spans.length > 1 ? `, ${counted(spans.length, "time")}` : "";
  return `${spans.some((span) => span.lasts) ? "at least " : ""}${duration(total)}${times}`;
}

/** Returns how deep a pair overlaps at least, "" where that is not known. */
export function depthText(pair, report) {
  const depth = Math.max(...contactSpans(pair, report).map((span) => span.depth ?? 0), 0);
  return depth > report.tolerance ? `at least ${length(depth, Math.floor)} deep` : "";
}
