// Moving what a fact moves before the page is drawn from the state after it.

/**
 * Move things, and return when they have arrived. What it resolves to is called once the page is drawn.
 *
 * @param {HTMLElement} _page
 * @param {Api.EventEnvelope} _fact
 * @param {Page.Model} _before
 * @param {Page.Model} _after
 * @returns {Promise<void | (() => Promise<void> | void)>}
 */
export async function animate(_page, _fact, _before, _after) {}
