// The page at /verify: it checks a file and shows the report. Everything from the file is shown as text.

import { NotAnExport, checkExport, gamesIn } from "./verify.js";

const LARGEST = 64 * 1024 * 1024; // bytes; an export of a thousand events is less than one million
const at = (id) => document.getElementById(id);
let turn = 0; // number of the last chosen file; reports on earlier ones are dropped

async function check(file) {
  const mine = ++turn;
  at("report").hidden = true;
  at("many").hidden = true;
  at("error").textContent = "";
  if (!file) return setStatus("No file has been chosen yet.");
  setStatus(`Checking ${file.name} …`);
  try {
    if (file.size > LARGEST) throw new NotAnExport("it is larger than 64 MB");
    const games = gamesIn(new Uint8Array(await file.arrayBuffer()));
    if (games.length > 1) return await checkMany(file, games, mine);
    const report = await checkExport(games[0], keptInputs());
    if (mine === turn) show(file, report);
  } catch (error) {
    if (mine === turn) refuse(file, error);
  }
}

// Check each game of a file of many with the kept keys. A kept receipt or root counts only for the game that you
// choose.
async function checkMany(file, games, mine) {
  const items = [];
  const counts = new Map();
  for (const [place, data] of games.entries()) {
    setStatus(`Checking game ${place + 1} of ${games.length} in ${file.name} …`);
    const { text, look, open } = await glance(file, data, place + 1);
    if (mine !== turn) return;
    counts.set(look, (counts.get(look) ?? 0) + 1);
    items.push(itemOf(text, look, open));
  }
  at("games").replaceChildren(...items);
  at("many").hidden = false;
  const [right, wrong, undecided] = ["right", "wrong", ""].map((look) => counts.get(look) ?? 0);
  const counted = `${right} right, ${wrong} wrong, ${undecided} undecided`;
  at("many-title").textContent = `${games.length} games: ${counted}`;
  setStatus(`${file.name} has been checked: ${games.length} games, ${counted}. Choose one to see its whole report.`);
  at("many").focus();
}

async function glance(file, data, place) {
  try {
    const { keys } = keptInputs();
    const report = await checkExport(data, { keys });
    const [text, look] = verdictOf(report);
    const open = () => choose(file, data);
    return { text: `board ${report.board}, ${report.variant}, ${report.game}: ${text}`, look, open };
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    return { text: `game ${place} of the file can't be read: ${error.message}`, look: "", open: null };
  }
}

// Show the whole report on one game of many.
async function choose(file, data) {
  const mine = ++turn;
  at("error").textContent = "";
  try {
    const report = await checkExport(data, keptInputs());
    if (mine === turn) show(file, report);
  } catch (error) {
    if (mine === turn) refuse(file, error);
  }
}

function itemOf(text, look, open) {
  const item = element("li", open ? "" : text, look);
  if (!open) return item;
  const button = element("button", text, look);
  button.type = "button";
  button.addEventListener("click", open);
  item.append(button);
  return item;
}

function keptInputs() {
  const lines = (id) => at(id).value.split("\n").map((line) => line.trim()).filter(Boolean); // prettier-ignore
  const [note, keys] = [at("receipt").value.trim(), at("keys").value.trim()];
  return { receipts: note ? [`${note}\n`] : [], roots: lines("root"), keys: keys ? [keys] : [] };
}

function setStatus(text) {
  at("status").textContent = text;
}

function refuse(file, error) {
  setStatus("");
  const why =
    error instanceof NotAnExport ? `${file.name} can't be checked: ${error.message}` : error.message;
  at("error").textContent = `${why}.`;
}

function show(file, report) {
  const [text, look] = verdictOf(report);
  at("verdict").textContent = text;
  at("verdict").className = look;
  at("summary").replaceChildren(...summaryOf(file, report));
  fill("findings", [...report.findings, ...report.unread].map(findingOf), "Nothing is wrong.");
  fill("receipts", report.receipts.map(receiptOf), "None: nothing shows that the game is older than the file.");
  at("hands").replaceChildren(...report.hands.map(rowOf));
  at("report").hidden = false;
  setStatus(`${file.name} has been checked. ${text}`);
  at("report").focus();
}

function verdictOf({ ok, findings, unread, receipts, complete }) {
  if (ok === false) return [`Something is wrong: ${many(findings.length, "finding")}`, "wrong"];
  const undecided = receipts.find((each) => each.ok === null);
  if (ok === null && undecided) return [`Undecided because of a receipt: ${undecided.says}`, ""];
  if (ok === null) return [`Undecided: ${many(unread.length, "event")} of a later version`, ""];
  return [complete ? "All is right" : "All is right so far; the game is still running", "right"];
}

function many(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function summaryOf(file, { game, board, variant, size, withheld, root }) {
  const rows = {
    File: file.name,
    Game: `board ${board}, ${variant}, ${game}`,
    Events: `${size}, ${withheld} withheld`,
    Root: root,
  };
  return Object.entries(rows).flatMap(([name, text]) => [element("dt", name), element("dd", text)]);
}

function findingOf({ version, says: text }) {
  return element("li", `${version === null ? "The file" : `Event ${version}`}: ${text}`, "wrong");
}

function receiptOf({ source, size, says: text, ok, key }) {
  const whose = source === "kept" ? "The receipt you kept" : "The receipt in the file";
  const by = key && ok !== null ? ` (key: ${key})` : "";
  return element(
    "li",
    `${whose}${size === null ? "" : `, of event ${size}`}: ${text}${by}`,
    ok === false ? "wrong" : "",
  );
}

function rowOf({ subject, deck, grade, cuts, dealer, ended, score }) {
  const decks = { right: ["✓ right", "right"], wrong: ["✗ WRONG", "wrong"], unrevealed: ["not revealed yet", ""] };
  const row = element("tr");
  const named = element("th", subject === "game" ? "seats or dealer" : subject.replace(/^deal /, ""));
  named.scope = "row";
  const plain = [
    grade ?? "–",
    cuts.join(", ") || "–",
    dealer ?? "–",
    ended,
    listed(score?.changes, signed),
    listed(score?.scores, String),
  ];
  row.append(named, element("td", ...decks[deck]), ...plain.map((text) => element("td", String(text))));
  return row;
}

function listed(numbers, spelled) {
  return numbers ? numbers.map(spelled).join(" ") : "–";
}

function signed(number) {
  return number > 0 ? `+${number}` : String(number);
}

function fill(id, items, empty) {
  at(id).replaceChildren(...(items.length ? items : [element("li", empty)]));
}

function element(name, text = "", look = "") {
  const node = document.createElement(name);
  node.textContent = text;
  if (look) node.className = look;
  return node;
}

// Check a file that is dropped anywhere on the page, as if it were chosen.
function checkDropped(event) {
  event.preventDefault();
  at("drop").classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file) at("file").files = event.dataTransfer.files;
  return file && check(file);
}

at("file").addEventListener("change", () => check(at("file").files[0]));
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  check(at("file").files[0]);
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  at("drop").classList.add("over");
});
document.addEventListener("dragleave", () => at("drop").classList.remove("over"));
document.addEventListener("drop", checkDropped);
if (!globalThis.crypto?.subtle)
  at("error").textContent = "This page needs https, or localhost: browsers have no WebCrypto elsewhere.";
