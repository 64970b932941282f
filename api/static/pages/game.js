/** A board: the table before the deal, or the game itself. */

import { get, Unreached } from "../base/net.js";
import { start } from "../base/shell.js";
import { showForming } from "./forming.js";
import "./table-fields.js";

const FORMING = new Set(["forming", "closing", "cancelled", "lapsed"]);

void start(async (main, session) => {
  const [, , board] = location.pathname.split("/");
  const found = await get(`/games/${board}`);
  if (FORMING.has(found.status)) await showForming(main, found, session);
  const { mount } = await tablePage();
  await mount(main, found.id, session.player);
});

/** Load the table's own scripts. If they don't arrive, the server is away. */
const tablePage = () =>
  import("../table/table-page.js").catch(() => {
    throw new Unreached();
  });
