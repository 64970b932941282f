// What a reader kept, in whatever form: receipts, roots, answers of the server, keys.

import { receiptIn } from "../verify/verify.js";

const ROOT = /^[0-9a-f]{64}$/;
const KEY = /^[^\s+]+\+[0-9a-f]{8}\+\S+$/;

// Return {receipts, roots, keys} in these texts. Throw Unreadable for one that holds none of them.
export function keptIn(texts) {
  const kept = { receipts: [], roots: [], keys: [] };
  for (const text of texts.filter((each) => each.trim())) addKept(text.replaceAll("\r\n", "\n"), kept);
  return kept;
}

function addKept(text, kept) {
  const words = text.trim().split(/\s+/);
  const found = objectIn(text);
  if (words.every((word) => ROOT.test(word))) kept.roots.push(...words);
  else if (words.every((word) => KEY.test(word)) || Array.isArray(found?.keys)) kept.keys.push(text.trim());
  else if (typeof found?.root === "string" && typeof (found.note ?? found.receipt) !== "string")
    kept.roots.push(found.root);
  else kept.receipts.push(receiptIn(withEnd(text)));
}

// A receipt that was pasted may lack its last line feed.
const withEnd = (text) => `${text.trim()}\n`;

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
