/** A board: the table before the deal, or the game itself. */

import { ownPath } from "../base/address.js";
import { ask, Unreached } from "../base/net.js";
import { start } from "../base/shell.js";

const FORMING = new Set(["forming", "closing", "cancelled", "lapsed"]);
const FORMING_PAGE = "./forming.js"; // not named in the import, or each running game would load it in advance
const [, , board] = ownPath().split("/");
const read = () => ask("GET", `/games/${board}`);

let early = quiet(read()); // while the session is read, too

void start(async (main, session) => {
  let found = await (early ?? read());
  if (FORMING.has(found.body.status)) {
    const { showForming } = await loaded(import(FORMING_PAGE));
    await showForming(main, found.body, session);
    found = await read();
  }
  const own = readOwn(found.body, session.player);
  const { mount } = await loaded(import("../table/table-page.js"));
  await mount(main, { found, own }, session.player);
}).finally(() => (early = null));

/** Ask for the view of the player's seat while the table's scripts load. Null without a seat. */
function readOwn({ id, seats }, player) {
  const seat = seats.findIndex((each) => player && each.player === player.id);
  return seat < 0 ? null : quiet(ask("GET", `/games/${id}/seats/${seat}`));
}

/** A promise that is awaited later: until then, its failure is no error of the page. */
function quiet(promise) {
  promise.catch(() => {});
  return promise;
}

/** Scripts that load. If they don't arrive, the server is away. */
const loaded = (module) =>
  module.catch(() => {
    throw new Unreached();
  });
