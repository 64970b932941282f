/**
 * Players without a name of their own. A bot's id is its strategy and its number at the table, such as "bot:simple:2"; a
 * guest's name is made by the server, such as "guest-8q6eguzg".
 */

import { define, has, t } from "./messages.js";

const ID = /^bot:([^:]+):(\d+)$/;
const GUEST = /^guest-(\w{4})\w*$/;

/** Return { strategy, number } of a bot's id, or null for a person's. */
export function botOf(player) {
  const [, strategy, number] = ID.exec(player ?? "") ?? [];
  return strategy ? { strategy, number: Number(number) } : null;
}

/** Return a bot's name, or null for a person's id. */
export function botName(player) {
  const bot = botOf(player);
  return bot && t("bot.name", { number: bot.number });
}

/** Return what to call a person by the name that the server has for them: a guest is "Guest 8q6e". */
export function personName(name) {
  const [, code] = GUEST.exec(name) ?? [];
  return code ? t("guest.name", { code }) : name;
}

/** Return a bot's strategy in words. */
export const botKind = (strategy) => (has(`bot.${strategy}`) ? t(`bot.${strategy}`) : strategy);

define({
  "bot.name": "Bot {number}",
  "bot.random": "random",
  "bot.simple": "simple",
  "bot.strong": "strong",
  "guest.name": "Guest {code}",
});
