/** House rules: write them, or see those at the address in the fragment. */

import { h, replace } from "../base/dom.js";
import { get } from "../base/net.js";
import { loading, showFailure, start } from "../base/shell.js";
import { variants } from "../pages/words.js";
import { showForm } from "./edit-view.js";
import { showPosted } from "./posted-view.js";

const ADDRESS = /^#([0-9a-f]{64})$/;

void start(async (main, session) => {
  const [{ items: catalogue }, choices] = await Promise.all([variants(), get("/rulebooks/choices")]);
  const form = h("div", null);
  const posted = h("div", null);
  let stop = () => {};
  let isBegun = false;
  const begin = async (book) => {
    const own = session.player ? (await get("/me/rulebooks")).items : [];
    const { items: green, restricted } = await get("/rulebooks");
    const books = [...own, ...green.filter(({ rulebook }) => !own.some((each) => each.rulebook === rulebook))];
    showForm(form, { session, catalogue, choices, books, restricted, begin: book }, ({ rulebook }) => (location.hash = rulebook));
    isBegun = true;
  };
  let shows = 0;
  const show = async () => {
    const turn = ++shows;
    stop();
    stop = () => {};
    const address = ADDRESS.exec(location.hash)?.[1];
    replace(main, address ? "posted" : "form", address ? posted : form);
    try {
      if (!address) {
        if (!isBegun) await begin(null);
        return;
      }
      replace(posted, null, loading());
      const book = await get(`/rulebooks/${address}`);
      if (turn !== shows) return; // a change of the address is told twice
      stop = showPosted(posted, book, session.player, async () => {
        await begin(book);
        history.pushState(null, "", " ");
        await show();
        scrollTo(0, 0);
      });
      scrollTo(0, 0);
    } catch (error) {
      showFailure(address ? posted : form, error, show);
    }
  };
  window.addEventListener("hashchange", () => void show());
  window.addEventListener("popstate", () => void show());
  await show();
});
