/** The scores of a board as numbers: columns, running totals, as played or with the rulings in force. */

/** Return whether a ruling on this dispute is in force and changes scores. */
export const isInForce = (dispute) => dispute.status !== "reversed" && (dispute.changes ?? []).some(Boolean);

/**
 * Return whether rulings changed anything, so that there are two scores.
 *
 * @param {Api.Scoreboard} board
 */
export const hasRulings = (board) => board.ruled !== null || board.disputes.some(isInForce);

/**
 * Return the columns: a seat each, or a side each if its seats have scored the same all the time.
 *
 * @param {Api.Scoreboard} board
 */
export function columnsOf(board) {
  const shared = board.sides.some((side) => side.length > 1) && board.sides.every((side) => alike(side.map((seat) => scoresOf(board, seat))));
  return shared ? board.sides : board.players.map((_, seat) => [seat]);
}

/** @param {Api.Scoreboard} board */
const scoresOf = (board, seat) => [...board.hands.map((hand) => hand.lines[seat].total), board.totals[seat], board.ruled?.scores[seat]].join(" ");
const alike = (texts) => texts.every((text) => text === texts[0]);

/**
 * Return the hands in order: { hand, changes, totals, ruled } with a number for each seat. `ruled` has what rulings add to
 * that hand, or null if they add nothing. With `asRuled`, changes and totals include the rulings in force.
 *
 * @param {Api.Scoreboard} board
 */
export function roundsOf(board, asRuled) {
  const added = board.players.map(() => 0);
  return board.hands.map((hand) => {
    const ruled = asRuled ? ruledChanges(board, hand.hand) : null;
    for (const [seat, change] of (ruled ?? []).entries()) added[seat] += change;
    return {
      hand,
      ruled,
      changes: hand.lines.map((line, seat) => line.change + (ruled?.[seat] ?? 0)),
      totals: hand.lines.map((line, seat) => line.total + added[seat]),
    };
  });
}

/** @param {Api.Scoreboard} board */
function ruledChanges(board, hand) {
  const rulings = board.disputes.filter((dispute) => dispute.hand === hand && isInForce(dispute));
  return rulings.length ? board.players.map((_, seat) => rulings.reduce((sum, { changes }) => sum + changes[seat], 0)) : null;
}

/**
 * Return the scores now, and the winners: none while the game is played.
 *
 * @param {Api.Scoreboard} board
 */
export function outcomeOf(board, asRuled) {
  const ruled = asRuled ? board.ruled : null;
  return { scores: ruled?.scores ?? board.totals, winners: (ruled ?? board.result)?.winners ?? [] };
}

/** Return the columns in the lead after each round, and how often the lead has changed. */
export function leadOf(rounds, columns) {
  let [leader, since, changes] = [null, 0, 0];
  for (const { hand, totals } of rounds) {
    const best = Math.max(...columns.map(([seat]) => totals[seat]));
    const first = columns.filter(([seat]) => totals[seat] === best);
    if (first.length !== 1 || first[0] === leader) continue;
    if (leader !== null) changes += 1;
    [leader, since] = [first[0], hand.hand];
  }
  return { leader, since, changes };
}
