// Draws one recorded moment, as the page would at that time.

import { newModel, trickBefore, withView } from "/static/table/model.js";
import { draw, frame } from "/static/table/zones.js";

const PREFS = { cuts: true, auto: false, sound: false, four: false, order: "suits", keys: { last: "c", scores: "s", turn: "t", hand: "h" } };

export function show(root, { seat, view, items }, more = {}) {
  let model = withView({ ...newModel(PREFS), link: "live", me: seat === null ? null : { id: view.seats[seat].player }, ...more }, view);
  for (const { event } of items) {
    if (!event) continue;
    if (event.data.rules && event.fact !== "RulesChangeDeferred") model.rules = event.data.rules;
    model.story.add(event, model);
  }
  model = { ...model, before: trickBefore(model), news: more.news ?? view.version - 12 };
  const page = frame();
  root.replaceChildren(page);
  draw(page, model);
  return model;
}
