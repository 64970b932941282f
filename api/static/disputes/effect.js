/** What rulings change: points by seat, and scores as played and as ruled. */

/** Return what rulings have changed so far, by seat. */
export function netChanges(model) {
  const seats = model.view.seats;
  const ruled = model.view.ruled;
  return seats.map((seat, at) => (ruled ? ruled.scores[at] - seat.score : 0));
}

/** Return what a void would change by seat, or null if the hand scored nothing. */
export function voidChanges(model, opened) {
  const deal = model.record.dealOf(opened.hand, opened.at_version);
  return deal?.changes ? deal.changes.map((change) => -change) : null;
}

/** Return whether another ruling in force has taken the hand's score back already. */
export const isVoid = (model, hand) =>
  model.disputes.some(({ opened, ruling, status }) => opened.hand === hand && ruling?.decision === "void" && ruling.voids === null && status !== "reversed");

/** Return the scores by seat with these changes beside those in force. */
export function scoresWith(model, changes) {
  const net = netChanges(model);
  return model.view.seats.map((seat, at) => seat.score + net[at] + changes[at]);
}

/** Return the changes with their signs turned: what a reversal does. */
export const turned = (changes) => changes.map((change) => -change || 0);
