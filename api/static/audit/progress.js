// How far a check is: a bar, and a sentence that screen readers hear at the beginning and the end.

import { h } from "../base/dom.js";
import { t } from "../base/messages.js";

const PAUSE_MS = 80; // between two drawings; the page stays usable meanwhile

// Return {node, say(text), step, clock}: the sentence and the bar; step(done, of) is for checkGame's onLine, and clock(text) counts
// the seconds of a work whose end nobody knows.
export function progress() {
  const status = h("p", { role: "status", class: "status" });
  const bar = h("progress", { "aria-label": t("progress.label"), hidden: true });
  let drawn = 0;
  const say = (text) => {
    status.textContent = text;
    bar.hidden = true;
  };
  const step = async (done, of) => {
    if (performance.now() - drawn < PAUSE_MS) return;
    drawn = performance.now();
    bar.max = of;
    bar.value = done;
    bar.hidden = done === of;
    await breath();
  };
  const clock = (text) => {
    const began = Date.now();
    let said = null;
    const tick = () => (status.textContent = said ?? text(Math.round((Date.now() - began) / 1000)));
    tick();
    bar.removeAttribute("value");
    bar.hidden = false;
    const timer = setInterval(tick, 1000);
    return { hold: (waits) => ((said = waits), tick()), stop: () => clearInterval(timer) };
  };
  return { node: h("div", { class: "progress" }, status, bar), say, step, clock };
}

// Let the browser draw.
export const breath = () => new Promise((resolve) => setTimeout(resolve));
