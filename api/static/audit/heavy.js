// Requests that the server does apart from moves: they can take long, and a busy server asks to wait. They're sent again until
// there is an answer, and say meanwhile what they wait for.

import { t } from "../base/messages.js";
import { answered, Problem, Unreached } from "../base/net.js";

const BUSY = new Set([429, 503]);
const WAIT_S = 3; // unless the server says how long
const MOST_WAITS = 20;
const PATIENCE_MS = 600_000;

// Return the response to GET `path`. `say(text)` shows what is waited for. Throw Problem or Unreached.
export async function ask(path, say, accept = "application/json") {
  for (let waits = 0; ; waits++) {
    const response = await answered(path, { headers: { Accept: accept }, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.ok) return response;
    const after = Number(response.headers.get("Retry-After")) || WAIT_S;
    if (!BUSY.has(response.status) || waits === MOST_WAITS)
      throw new Problem(response.status, await bodyOf(response), after);
    await countDown(after, (seconds) => say(t(`heavy.${response.status}`, { count: seconds })));
  }
}

const bodyOf = (response) => response.json().catch(() => null);

async function countDown(seconds, show) {
  for (let left = Math.ceil(seconds); left > 0; left--) {
    show(left);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// Return the bytes of a response, while `step(done, of)` shows how many have come.
export async function bytesOf(response, step) {
  const of = Number(response.headers.get("Content-Length")) || 0;
  const chunks = [];
  let done = 0;
  try {
    for (const reader = response.body.getReader(); ;) {
      const { value, done: isOver } = await reader.read();
      if (isOver) break;
      chunks.push(value);
      done += value.length;
      if (of) await step(done, Math.max(of, done));
    }
  } catch {
    throw new Unreached();
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
