/** Addresses of this server, which may be below a path of its host: then the page names that path, its root. */

/** The path, such as "/cards"; empty without one. Servers on one host share a browser's locks and channels, so those name it. */
export const ROOT = globalThis.document?.documentElement.dataset.root ?? "";

/** Return the address of a path of this server, such as "/games/7"; any other text stays as it is. */
export const addressOf = (path) => (/^\/(?!\/)/.test(path) ? ROOT + path : path);

/** Return the same with the server's origin, for a link to give away. */
export const wholeAddressOf = (path) => location.origin + addressOf(path);

/** Return the path of this page, as the server knows it. */
export const ownPath = () => (location.pathname.startsWith(`${ROOT}/`) ? location.pathname.slice(ROOT.length) : location.pathname);

/** Go to a page of this server. */
export const visit = (path) => location.assign(addressOf(path));
