// Moves taken back (docs/verify-a-hand.md): which seat may ask, and how far the play goes back.

const WAYS = ["consent", "practice", "none"];

// The facts that no undo goes past. An undo by consent goes back one move, so it passes none of these either.
export const BARRIERS = new Set([
  ...["HandDealt", "TrumpTurnedUp", "MisdealDeclared", "HandThrownIn", "HandScored", "CeremonyRevealed"],
  ...["CardsDiscarded", "StockTaken", "CardsTaken", "PartnerRevealed", "RulesChanged", "RulesChangeDeferred"],
  ...["SeatResigned", "SeatForfeited", "SeatHandedOver", "SeatReturned"],
]);

// Check at the opening how moves are taken back: as in practice only at a table of one person and bots.
export function checkUndo(table, { undo = "consent", players }) {
  const people = players.filter(({ kind }) => kind === "human").length;
  if (!WAYS.includes(undo)) table.says(`its undo is "${undo}", but must be one of ${WAYS.join(", ")}`);
  if (undo === "practice" && people !== 1)
    table.says(`moves are taken back as in practice, which is for one person, but ${people} people play`);
}

export function checkUndoAsked(table, { seat, to_version: to }) {
  table.asked = { seat, to };
  if (table.opening.undo === "none") table.says("an undo is asked for, but no move of this game can be taken back");
  if (table.players[seat].kind !== "human") table.says(`seat ${seat} is a bot, but asks to take a move back`);
}

export function takeBack(table, { seat, to_version: to, begins_turn: begins }, { v }) {
  if (v > 1 && !begins) table.says("the turn goes on after the undo, as only after undos of version 1");
  const then = table.past.find(([version]) => version === to)?.[1];
  if (!table.unread.length && (table.asked?.seat !== seat || table.asked?.to !== to))
    table.says(`seat ${seat} takes moves back to version ${to}, but didn't ask for that`);
  table.asked = null;
  if (!then) return table.says(`the hand has no version ${to} to return to`);
  if (to < table.barrier) table.says(`it goes back past event ${table.barrier}, but no undo does`);
  table.deal = { ...then };
}
