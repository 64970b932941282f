/**
 * The worker that keeps a page to show without a network. Only the page /app may start it: its policy allows the one
 * Trusted Types policy that this takes, which gives out no other address.
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

function address() {
  if (!window.trustedTypes) return WORKER;
  return window.trustedTypes.createPolicy("trickbook-worker", { createScriptURL: () => WORKER }).createScriptURL("");
}
