/** Notices of the browser that it's somebody's turn, for those who have switched them on. A notice never names a card. */

import { visit } from "./address.js";
import { define, t } from "./messages.js";
import { setting } from "./settings.js";

/** Show a notice of an entry of the own inbox, once in a browser, if no page of this tab is in view. */
export function notice({ id, kind, game, awaits, now, step, dispute }) {
  const isAccused = kind === "dispute" && step === "accused";
  const isAwaited = (kind === "turn" && awaits === "move") || kind === "question" || kind === "invitation" || (kind === "seat" && now === "bot") || isAccused;
  if (!isAwaited || !document.hidden || !setting("notices") || globalThis.Notification?.permission !== "granted") return;
  try {
    const shown = new Notification("trickbook", { body: t(`notice.${kind}`), tag: id });
    const part = isAccused ? `/disputes#dispute-${dispute}` : "";
    shown.onclick = () => window.focus() ?? visit(`/games/${game}${part}`);
  } catch {
    // Some devices show notices of an installed app alone.
  }
}

define({
  "notice.dispute": "You are accused in a dispute. You can answer in your words.",
  "notice.invitation": "Somebody offers you their seat.",
  "notice.question": "Somebody asks you something at a table.",
  "notice.seat": "A bot plays your seat now. You can take it back.",
  "notice.turn": "It's your turn.",
});
