/** Bots among players: a bot's id is its strategy and its number at the table, such as "bot:simple:2". */

import { define, has, t } from "./messages.js";

const ID = /^bot:([^:]+):(\d+)$/;

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

/** Return a bot's strategy in words. */
export const botKind = (strategy) => (has(`bot.${strategy}`) ? t(`bot.${strategy}`) : strategy);

define({
  "bot.name": "Bot {number}",
  "bot.random": "random",
  "bot.simple": "simple",
  "bot.strong": "strong",
});
