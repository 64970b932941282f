/**
 * Elements for pages that are pure functions from a view to nodes.
 *
 * Attributes are set by setAttribute, texts are text nodes, and listeners are functions. `href` takes the server's own
 * addresses without the path that the server may be below. Nothing here parses markup, and `style` and listeners as text are
 * refused, as the page's policy refuses them too.
 */

import { addressOf } from "./address.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an HTML element: h("button", { class: "primary", disabled: true, onclick: play }, "Play").
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Page.Attributes | null} [attrs]
 * @param {...Page.Child} children
 */
export const h = (tag, attrs, ...children) => filled(document.createElement(tag), attrs, children);

/**
 * Return an SVG element: s("path", { d: "M0 0h8v8z", class: "pip" }).
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Page.Attributes | null} [attrs]
 * @param {...Page.Child} children
 */
export const s = (tag, attrs, ...children) => filled(document.createElementNS(SVG, tag), attrs, children);

/**
 * Return the nodes of children: nodes, texts and numbers, nested as you like; null, undefined, true and false are none.
 *
 * @param {...Page.Child} children
 * @returns {Node[]}
 */
export const nodes = (...children) =>
  children.flatMap((child) => (Array.isArray(child) ? nodes(...child) : child == null || typeof child === "boolean" ? [] : [node(child)]));

/**
 * Show `content` in `zone` unless it shows what `key` stands for already; return whether it was replaced.
 *
 * `content` is a node, a list of them, or a function that returns either and isn't called for the same key. A key of null
 * always replaces. The element with the focus keeps it if the new content has one with the same id or `data-key`; if it
 * hasn't, and the zone can be focused, the zone gets the focus, so that Tab goes on from there.
 *
 * @param {HTMLElement} zone
 * @param {string | number | boolean | null} key
 * @param {Page.Child | (() => Page.Child)} content
 */
export function replace(zone, key, content) {
  if (key !== null && keys.get(zone) === key) return false;
  const focused = zone.contains(document.activeElement) && document.activeElement !== zone ? document.activeElement : null;
  const mark = focused && markOf(focused);
  zone.replaceChildren(...nodes(typeof content === "function" ? content() : content));
  keys.set(zone, key);
  /** @type {HTMLElement | null} */
  const again = mark && zone.querySelector(mark);
  if (focused) (again ?? zone).focus({ preventScroll: true });
  return true;
}

const keys = new WeakMap();

const node = (child) => (child instanceof Node ? child : document.createTextNode(String(child)));

function markOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const key = element.getAttribute("data-key");
  return key === null ? null : `[data-key="${CSS.escape(key)}"]`;
}

/**
 * @template {Element} Shape
 * @param {Shape} element
 * @param {Page.Attributes | null | undefined} attrs
 * @param {Page.Child[]} children
 */
function filled(element, attrs, children) {
  for (const [name, value] of Object.entries(attrs ?? {})) set(element, name, value);
  element.append(...nodes(children));
  return element;
}

function set(element, name, value) {
  if (value == null || value === false) return;
  if (typeof value === "function" && name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (typeof value === "function" || name.startsWith("on") || name === "style" || name === "srcdoc")
    throw new TypeError(`The attribute ${name} can't be set here. Use a class, or a function as the listener.`);
  else element.setAttribute(name, value === true ? "" : name === "href" ? addressOf(String(value)) : String(value));
}
