// An export as a log: places, bytes, leaves, links, root and receipt (docs/verify-a-hand.md).

import { hex, isCanonical, leaf, rootsOf, sha256, unhex, utf8 } from "./cardlog.js";
import { keysIn, receiptIn } from "./kept.js";
import { checkSignature, readKey, readReceipt } from "./notes.js";

const FORMAT = "trickbook-export/1";
const LINE =
  /^\{(?:"event":(\{.*\}),)?"leaf":"([0-9a-f]{64})","prev":"([0-9a-f]{64})","version":([1-9][0-9]{0,15})\}$/s;
const NEW_KEY =
  "if the server changed its key, /.well-known/trickbook/keys has a note signed by both: give that file as a key";
const BOM = "\ufeff";
const HEADER_FIELDS = ["board", "format", "game", "keys", "players", "variant"];
const TRAILER_FIELDS = ["header", "receipt", "root", "size"];
const NO_HEADER = "its first line isn't the header of an export";
export const UNSIGNED = "the file is unsigned, and its end can be missing: it holds no receipt";

// The file isn't an export that this program can read.
export class NotAnExport extends Error {}

// Return {first: the header line, header, trailer or null,
// lines: [{version, leaf, prev, text or null, event or null}], findings, lineEnds}. `lineEnds` says how the line ends differ
// from those that a server writes, or is null. No event depends on them.
export function readExport(data) {
  const [[first, ...rest], lineEnds] = linesOf(textOf(data));
  const header = headerOf(first);
  const findings = misfits("first", header, HEADER_FIELDS);
  if (!rest.length || rest.at(-1)) findings.push(finding(null, "the file is cut off in the middle of a line"));
  const trailer = rest.length > 1 ? trailerOf(rest.at(-2)) : null;
  if (!trailer)
    findings.push(finding(null, "the file has no trailer: it is cut off, or there are lines after its end"));
  else findings.push(...misfits("last", trailer, TRAILER_FIELDS));
  const within = rest.slice(0, trailer ? -2 : -1);
  const lines = within.map((text, at) => lineOf(text, at, findings)).filter(Boolean);
  return { first, header, trailer, lines, findings, lineEnds };
}

// Return the lines as a server would have ended them, "" last, and how the file's own ends differ. An export has no
// carriage return and no empty line, so nothing in it can be taken for one of these ends.
function linesOf(data) {
  const differs = [];
  let text = data;
  if (text.startsWith(BOM)) {
    differs.push("a byte order mark at the beginning");
    text = text.slice(BOM.length);
  }
  if (text.includes("\r\n")) {
    differs.push("CR LF in place of LF");
    text = text.replaceAll("\r\n", "\n");
  }
  const whole = text.replace(/\n+$/, "");
  if (text.length > whole.length + 1) {
    differs.push("an empty line at the end");
    text = `${whole}\n`;
  } else if (text === whole && trailerOf(whole.slice(whole.lastIndexOf("\n") + 1))) {
    differs.push("no LF at the end");
    text += "\n";
  }
  return [text.split("\n"), differs.join(", ") || null];
}

export function finding(version, says) {
  return { version, says };
}

function textOf(data) {
  if (typeof data === "string") return data;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new NotAnExport("the file isn't UTF-8 text");
  }
}

// Return a finding if a line has a field more or less than a server writes.
function misfits(which, object, names) {
  if (Object.keys(object).sort().join() === names.join()) return [];
  return [finding(null, `the ${which} line must have exactly the fields ${names.join(", ")}`)];
}

function headerOf(text) {
  const header = objectOf(text);
  if (!header) throw new NotAnExport(NO_HEADER);
  if (header.format !== FORMAT) throw new NotAnExport("its first line doesn't name a format that this program knows");
  if (!isCanonical(text)) throw new NotAnExport("its first line isn't canonical JSON");
  if (!isTyped(header)) throw new NotAnExport(NO_HEADER);
  return header;
}

function isTyped({ board, game, keys = [], players, variant }) {
  const areTexts = (values) => values.every((value) => typeof value === "string");
  const isNamed = players !== null && typeof players === "object" && !Array.isArray(players);
  return (
    Number.isSafeInteger(board) && areTexts([game, variant]) && Array.isArray(keys) && areTexts(keys) && isNamed &&
    areTexts(Object.values(players))
  );
}

function trailerOf(text) {
  const trailer = objectOf(text);
  const typed = trailer && Number.isSafeInteger(trailer.size) && typeof trailer.root === "string";
  const signed = trailer?.receipt === null || typeof trailer?.receipt === "string";
  return typed && signed && isCanonical(text) ? trailer : null;
}

function objectOf(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function lineOf(text, at, findings) {
  const match = LINE.exec(text);
  if (!match) {
    findings.push(finding(at + 1, `line ${at + 2} of the file, where it should be, isn't a line of an export`));
    return null;
  }
  const line = { version: Number(match[4]), leaf: match[2], prev: match[3], text: match[1] ?? null, event: null };
  if (line.text !== null) {
    line.event = objectOf(line.text);
    if (!isCanonical(line.text)) findings.push(finding(line.version, "its bytes are not canonical JSON"));
  }
  return line;
}

// Return the roots at each size from 0, in hex. Add wrong places, leaves and links to `findings`.
export async function checkLog(lines, findings) {
  const roots = (await rootsOf(lines.map(({ leaf: hash }) => unhex(hash)))).map(hex);
  const hashed = await Promise.all(lines.map(({ text }) => (text === null ? null : leaf(utf8(text)))));
  const cut = lines.findIndex(({ prev }, at) => prev !== roots[at]);
  lines.forEach(({ version, leaf: hash }, at) => {
    if (version !== at + 1) findings.push(finding(version, `it is in place ${at + 1} of the log`));
    if (hashed[at] && hex(hashed[at]) !== hash) {
      findings.push(finding(version, "its bytes were changed: their hash isn't its leaf"));
      lines[at].hash = hashed[at];
    }
    if (at === cut) findings.push(finding(version, "its link isn't the root of the events before it"));
  });
  return roots;
}

// Return the roots that the bytes of the events give, whatever hashes stand beside them.
async function rootsOfBytes(lines, roots) {
  if (!lines.some(({ hash }) => hash)) return roots;
  return (await rootsOf(lines.map(({ hash, leaf: said }) => hash ?? unhex(said)))).map(hex);
}

// Check the first and the last line against the events.
export async function checkAround({ first: written, header, trailer, lines }, roots, findings) {
  const first = lines[0]?.event;
  const wrong = (says) => findings.push(finding(null, says));
  if (first?.fact !== "GameOpened") wrong("the log doesn't begin with the opening of a game");
  else {
    const { board, variant, players } = first.data;
    const later = lines.filter(({ event }) => event?.fact === "SeatHandedOver").map(({ event }) => event.data?.to);
    const ids = new Set([...players.map((each) => each.player), ...later]);
    const same = header.game === first.game && header.board === board && header.variant === variant;
    if (!same) wrong("the header names another game, board or variant than the events");
    if (!Object.keys(header.players ?? {}).every((id) => ids.has(id)))
      wrong("the header names a player who isn't in the game");
  }
  if (!trailer) return;
  if (trailer.header !== hex(await sha256(utf8(written))))
    wrong("the header isn't the one that the trailer was written for");
  if (trailer.size !== lines.length)
    wrong(`the trailer counts ${trailer.size} events, but the file has ${lines.length}`);
  if (trailer.root !== roots.at(-1)) wrong("the trailer's root isn't the root of these events");
}

// Return [{source, size, root, ok, says, key}] of the trailer's receipt and of the kept receipts. `ok` is true, false,
// or null if it can't be decided. `keys` are the trusted keys; without any, the file's own keys count, and `says`
// mentions it. Without any receipt, a file is unsigned: that's a finding if somebody kept a key or a root, and otherwise leaves
// the report undecided. Throw Unreadable if a given receipt or key is invalid.
export async function checkReceipts(read, before, kept, findings) {
  const { header, trailer, lines } = read;
  const { receipts = [], keys = [], roots: keptRoots = [], fromServer = false } = kept;
  const roots = await rootsOfBytes(lines, before);
  const own = await validKeys(header.keys ?? [], findings);
  const trusted = keys.length ? await keysIn(keys) : own;
  const given = receipts.map((text) => ["kept", receiptIn(text)]);
  const notes = typeof trailer?.receipt === "string" ? [["trailer", trailer.receipt], ...given] : given;
  if (!notes.length && !fromServer && (keys.length || keptRoots.length))
    findings.push(finding(null, `${UNSIGNED}, though you have a ${keys.length ? "key" : "root"}`));
  const checked = [];
  for (const [source, note] of notes) checked.push(await checkReceipt(source, note, header.game, roots, trusted));
  for (const each of checked) each.says += keyRemark(each, keys.length > 0);
  const named = { trailer: "the trailer's receipt", kept: "a receipt that was kept" };
  for (const { source, size, ok, says } of checked) {
    if (ok === false) findings.push(finding(size, `${named[source]} isn't valid: ${says}`));
  }
  return checked;
}

// Return a remark on the key, to add to the sentence about the receipt.
function keyRemark({ ok, size, key }, given) {
  if (!given && key) return ok ? ", by a key that only this file names" : " (its key is one that only this file names)";
  return given && size !== null && !key ? `; ${NEW_KEY}` : "";
}

// Return the valid keys of a file. Add the others to `findings`.
async function validKeys(vkeys, findings) {
  const keys = [];
  for (const vkey of vkeys) {
    try {
      keys.push(await readKey(vkey));
    } catch (error) {
      findings.push(finding(null, `the file names an invalid key, ${vkey}: ${error.message}`));
    }
  }
  return keys;
}

async function checkReceipt(source, note, game, roots, keys) {
  let receipt;
  try {
    receipt = readReceipt(note);
  } catch (error) {
    return { source, size: null, root: null, ok: false, says: error.message, key: null };
  }
  const { name, ...signed } = await checkSignature(receipt, keys);
  const result = { source, size: receipt.size, root: receipt.root, ...signed };
  const fault = signed.ok === false ? null : faultOf(receipt, name, game, roots);
  return fault ? { ...result, ok: signed.ok === null ? null : false, says: fault } : result;
}

// Return what is wrong with a receipt signed by a key of this name, or null. `name` is null if the signer isn't known.
function faultOf({ origin, size, root }, name, game, roots) {
  const own = name === null ? origin.endsWith(`/game/${game}`) : origin === `${name}/game/${game}`;
  if (!own) return "it is for another game";
  if (size >= roots.length) return `it counts ${size} events, but the file has only ${roots.length - 1}`;
  return roots[size] === root ? null : `the log had another root after event ${size}`;
}
