// Panels of which one is shown at a time, each with its tab.
import { h } from "./dom.js";

/** Returns a bar of tabs for panels ({ name, label, panel }); `show(name)` opens one, `enable(name, on)` offers it. */
export function buildTabs(label, panels, onShow = () => {}) {
  const buttons = new Map();
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  const show = (name) => {
    for (const { name: other, panel } of panels) {
      panel.hidden = other !== name;
      buttons.get(other).setAttribute("aria-selected", String(other === name));
      buttons.get(other).tabIndex = other === name ? 0 : -1;
    }
    onShow(name);
  };
  for (const { name, label: text, panel } of panels) {
    const button = h(
      "button",
      { type: "button", role: "tab", "data-tab": name, click: () => show(name), keydown: (event) => step(event) },
      text,
    );
    panel.setAttribute("role", "tabpanel");
    panel.dataset.panel = name;
    buttons.set(name, button);
    bar.append(button);
  }
  const step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    event.preventDefault();
    const open = panels.filter(({ name }) => !buttons.get(name).hidden);
    const now = open.findIndex(({ name }) => buttons.get(name) === event.currentTarget);
    const { name } = open[(now + by + open.length) % open.length];
    show(name);
    buttons.get(name).focus();
  };
  const enable = (name, on) => {
    buttons.get(name).hidden = !on;
    if (!on && buttons.get(name).getAttribute("aria-selected") === "true") show(panels[0].name);
  };
  show(panels[0].name);
  return { bar, show, enable };
}
