// Requests of a page that other sites may show: they never take a cookie along, so the server answers as to a stranger.

import { addressOf } from "../base/address.js";

const API = "/api/v1";

// Return the body of an answer. Throw an error with its status if it's a refusal.
export const openGet = async (path) => (await answered(path, "application/json")).json();

// Return an answer as text.
export const openText = async (path) => (await answered(path, "*/*")).text();

async function answered(path, accept) {
  const response = await fetch(addressOf(API + path), { credentials: "omit", headers: { Accept: accept } });
  if (!response.ok) throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
  return response;
}
