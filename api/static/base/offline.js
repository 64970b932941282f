/**
 * The worker that keeps a page to show without a network. Only the pages /app and /me may start it: their
 * policy allows the one Trusted Types policy that this takes, which gives out no other address.
 */

import { addressOf } from "./address.js";

const WORKER = addressOf("/worker.js");

/** Whether this browser can keep the page. */
export const canKeepOffline = () => "serviceWorker" in navigator && window.isSecureContext;

/** Start the worker, and return once it has kept the page. */
export async function keepOffline() {
  await navigator.serviceWorker.register(address());
  await navigator.serviceWorker.ready;
}

/** Return whether the worker is there already. */
export const keepsOffline = async () => canKeepOffline() && (await navigator.serviceWorker.getRegistration()) !== undefined;

let trusted = null;

function address() {
  if (!window.trustedTypes) return WORKER;
  trusted ??= window.trustedTypes.createPolicy("trickbook-worker", { createScriptURL: () => WORKER }).createScriptURL("");
  return trusted;
}
