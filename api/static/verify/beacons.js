// Beacons: the round that a promise names, its time, and the cut that its signature makes (docs/verify-a-hand.md). The
// signature itself isn't checked here: WebCrypto has no BLS.

import { hex, sha256, unhex } from "./cardlog.js";

const LEAD_MS = 3000;
const CHAINS = { "drand/quicknet": { genesis: 1692803367000, period: 3000 } };
const SIGNATURE = /^[0-9a-f]{96}$/;

// Return the source that a commitment at this time must name; null if the chain isn't known.
export function roundToName(name, at) {
  const chain = Object.hasOwn(CHAINS, name) ? CHAINS[name] : null;
  const committed = microseconds(at);
  if (!chain || committed === null) return null;
  const periods = Math.ceil((committed / 1000 + LEAD_MS - chain.genesis) / chain.period);
  return `${name}/${Math.max(0, periods) + 1}`;
}

// Return when a round is published, in milliseconds since 1970; null for a source that isn't known.
export function publicationTime(source) {
  const [, name, round] = /^(.+)\/([1-9][0-9]{0,15})$/.exec(source) ?? [];
  if (!Object.hasOwn(CHAINS, name)) return null;
  return CHAINS[name].genesis + (Number(round) - 1) * CHAINS[name].period;
}

// Return the microseconds since 1970 of a time in an event; null for another text.
function microseconds(at) {
  const [, seconds, micros] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(at) ?? [];
  const whole = Date.parse(`${seconds}Z`);
  return Number.isNaN(whole) ? null : whole * 1000 + Number(micros);
}

// Check the round that a ceremony names: the first after the lead if the table has a beacon, and none otherwise.
export function checkNamedRound(table, { subject, beacon = null }, at) {
  const chain = subject.startsWith("deal ") ? (table.opening.fairness.beacon ?? null) : null;
  const due = chain === null ? null : roundToName(chain, at);
  if (chain !== null && due === null) return table.says(`the beacon ${chain} of this game isn't known`);
  if (beacon !== due) table.says(`it names ${beacon ?? "no round of a beacon"}, but must name ${due ?? "none"}`);
}

export const BEACONS = {
  async BeaconRecorded(table, { n, source, signature, cut }, { at, by }) {
    const ceremony = table.ceremonies.get(n);
    if (!ceremony || ceremony.dealt || ceremony.closed)
      return table.says(`it brings a beacon for ceremony ${n}, which isn't waiting for one`);
    if (ceremony.beacon) table.says(`the beacon of ceremony ${n} comes twice`);
    if (source !== (ceremony.opened.beacon ?? null))
      table.says(`it brings ${source}, but ceremony ${n} named ${ceremony.opened.beacon ?? "no round"}`);
    const published = publicationTime(source);
    if (published === null || microseconds(at) < published * 1000)
      table.says(`it brings ${source} before this round is published`);
    if (!SIGNATURE.test(signature)) table.says("its signature isn't 48 bytes in hex");
    else if (hex(await sha256(unhex(signature))) !== cut) table.says("its cut isn't the hash of its signature");
    const people = table.persons().map((seat) => table.players[seat].player);
    if (by !== "server" && !people.includes(by)) table.says(`it is by ${by}, who doesn't play here`);
    ceremony.beacon = { source, cut };
    table.unsigned.push({ version: table.version, source, signature });
  },
};
