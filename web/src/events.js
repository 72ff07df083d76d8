// What happens to pairs, in words: contacts, pairs that are too close, and how long that lasts.
import { contactSpans } from "./contact.js";
import { counted, duration, grouped, length } from "./format.js";

/** The events in the order in which they matter, with their names for one and for several pairs. */
export const EVENTS = {
  contact: { one: "contact", many: "contacts", title: "Contacts" },
  "too close": { one: "too close", many: "too close", title: "Too close" },
  undecided: { one: "undecided", many: "undecided", title: "Undecided" },
  clear: { one: "clear", many: "clear", title: "Clear" },
};

const OR_CONTACT = " or in contact"; // of pairs that were not searched for contacts

/** Returns how many pairs there are of each event, far ones included, such as "5 contacts, 6 too close, 133 clear". */
export function eventCounts({ pairs, far }) {
  return (
    Object.entries(EVENTS)
      .map(([event, { one, many }]) => {
        const listed = pairs.filter((pair) => pair.event === event);
        const n = listed.length + (event === "clear" ? (far?.count ?? 0) : 0);
        const open = listed.some((pair) => pair.is_open) ? OR_CONTACT : "";
        return n > 0 && `${grouped(n)} ${n === 1 ? one : many}${open}`;
      })
      .filter(Boolean)
      .join(", ") || "none"
  );
}

/** Returns how long the contacts of a pair last in all, or how long it is within its margin; "" where that is not known. */
export function durationText(pair, report, { isShort = false } = {}) {
  const spans = contactSpans(pair, report);
  if (spans.length === 0 || !spans.every((span) => span.known) || report.t1 <= report.t0) return "";
  const total = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const more = pair.left != null; // not all were searched
  const least = more || spans.some((span) => span.lasts);
  if (isShort) {
    const count = spans.length > 1 ? `, ${more ? "\u2265 " : ""}${spans.length}\u00d7` : "";
    return `${least ? "\u2265 " : ""}${duration(total)}${count}`;
  }
  const times = spans.length > 1 ? `, ${counted(spans.length, "time")}${more ? " or more" : ""}` : "";
  return `${least ? "at least " : ""}${duration(total)}${times}`;
}

/**
 * Returns what a contact is in words: "contact", or "too close (12.3 mm, margin 20 mm)". A pair with a margin that
 * touches is within its margin before, which is when its contact begins.
 */
export function contactText({ event, least }, pair) {
  if (event !== "too close") return pair.margin > 0 ? `within ${length(pair.margin)}, then contact` : EVENTS.contact.one;
  return `${EVENTS[event].one}${pair.is_open ? OR_CONTACT : ""} (${[least, `margin ${length(pair.margin)}`].filter(Boolean).join(", ")})`;
}

/** Returns how deep a pair overlaps at least, "" where that is not known. */
export function depthText(pair, report, { isShort = false } = {}) {
  const depth = Math.max(...contactSpans(pair, report).map((span) => span.depth ?? 0), 0);
  return depth > report.tolerance ? `${isShort ? "\u2265 " : "at least "}${length(depth, Math.floor)} deep` : "";
}
