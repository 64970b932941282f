// What this browser saw of a game at its table: the root of the log up to some event.

import { Chain, keptFor } from "../live/chain.js";

// Return {size, root}, or null if this browser followed nothing of the game.
export async function seenRoot(game) {
  const chain = new Chain();
  try {
    chain.restore(keptFor(game) ?? {});
    return chain.size ? { size: chain.size, root: await chain.root() } : null;
  } catch {
    return null;
  }
}
