// Calls of delay of game: one is open at a time, and a ruling that ends its hand drops it (docs/rules/corellian.md,
// R-C39).

export const DELAYS = {
  DelayCalled(table, { seat, accused }) {
    if (table.call) table.says("delay of game is called while another call is open");
    table.call = { seat, accused, n: table.deal?.n ?? null };
  },

  DelayDropped(table, { seat, accused }) {
    const { call, dropsCall } = table;
    if (!call || !dropsCall) table.says("a delay call is dropped, but no ruling ended the hand of an open call");
    else if (call.seat !== seat || call.accused !== accused)
      table.says(
        `the call of seat ${seat} on seat ${accused} is dropped, but the open call is that of seat ${call.seat} on ` +
          `seat ${call.accused}`,
      );
    Object.assign(table, { call: null, dropsCall: false });
  },
};

// Note whether a ruling that ends the hand of ceremony `voids` must be followed by DelayDropped. A ruling of version 1
// drops any open call itself.
export function noteVoid(table, voids, dropsItself) {
  if (dropsItself) table.call = null;
  else table.dropsCall = voids !== null && table.call?.n === voids;
}

// Check that a call which a ruling drops is dropped directly after it.
export function checkDropDue(table, fact) {
  if (!table.dropsCall || fact === "DelayDropped") return;
  table.says(`it's ${fact}, but must be DelayDropped`);
  Object.assign(table, { call: null, dropsCall: false });
}
