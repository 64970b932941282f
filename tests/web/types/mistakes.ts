/** Mistakes that the check of the scripts must find: a line without the error that it expects is an error itself. */

import { get, send } from "../../../api/static/base/net.js";
import { headlineText } from "../../../api/static/table/headline.js";

export async function mistakes(view: Api.NamedView, model: Page.Model) {
  // @ts-expect-error: an answer has no such field
  view.number;
  // @ts-expect-error: the path says which answer it is
  (await get(`/games/${view.id}/scoreboard`)).total;
  // @ts-expect-error: so do the method and the path
  (await send("POST", `/games/${view.id}/moves`, { type: "pass" })).body.hand;
  // @ts-expect-error: a move has no such field
  await send("POST", `/games/${view.id}/moves`, { type: "bid", points: 3 });
  // @ts-expect-error: there is no such path
  (await get("/tables")).items;
  // @ts-expect-error: the drawing functions get a model, which knows its view
  headlineText(model.view);
}
