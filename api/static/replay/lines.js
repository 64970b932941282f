// The lines of a game's record: those up to now page by page, and those of a live game as they come.

import { get } from "../base/net.js";

const PAGE = 100; // larger pages count as heavy requests

// Load the lines from the version after `after` up to `upto` into a log, and call `added` after each page.
export async function loadLines(game, log, after, upto, added) {
  for (let next = after; next !== null && next < upto; ) {
    const page = await get(`/games/${game}/events?after=${next}&limit=${PAGE}`);
    log.add(page.items);
    added();
    next = page.next;
  }
}

// Follow a game that isn't over. What is revealed by a new line is asked for again, since no line is sent twice.
export async function followLines(game, log, added) {
  const { follow } = await import("../base/stream.js");
  const take = async (item) => {
    log.add([item]);
    if (item.event?.fact === "CeremonyRevealed") await loadLines(game, log, firstWithheld(log) - 1, log.size, () => {}).catch(() => {});
    added();
  };
  return follow(game, take, { after: log.size });
}

function firstWithheld(log) {
  return log.items.find(({ event }) => !event)?.version ?? log.size + 1;
}
