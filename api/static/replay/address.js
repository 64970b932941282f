// The address of a moment: `?at=57&seat=2`. A link to it is a position.

export const NOBODY = "none"; // the seat of an address that shows what everybody saw

// Return what an address asks for: the version and the seat. `seat` is undefined if it names none, null for everybody.
export function asked(search = location.search) {
  const params = new URLSearchParams(search);
  const at = number(params.get("at"));
  const seat = params.get("seat");
  return { at: at || null, seat: seat === NOBODY ? null : (number(seat) ?? undefined) };
}

// Return the query that plays on differently from a moment.
export function moveAddress(at, seat) {
  return `${query(at, seat)}#what-if`;
}

// Return whether an address asks for the comparison of own moves.
export const asksMyMoves = () => location.hash === "#my-moves";

// Return whether an address is such a query.
export const asksWhatIf = () => location.hash === "#what-if";

// Return the query of a moment.
export function query(at, seat) {
  return `?at=${at}&seat=${seat ?? NOBODY}`;
}

// Return the whole address of a moment.
export function link(at, seat) {
  return location.origin + location.pathname + query(at, seat);
}

// Show a moment in the address; as a new entry of the history if the reader jumped there.
export function show(at, seat, isJump) {
  const to = query(at, seat);
  if (to === location.search) return;
  try {
    if (isJump) history.pushState(null, "", to);
    else history.replaceState(history.state, "", to + (location.search ? "" : location.hash)); // what a link asks for stays
  } catch {
    // A browser takes only so many changes in a while, as when the slider is dragged: the next step says where one is.
  }
}

function number(text) {
  return /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
}
