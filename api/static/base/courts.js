// The figures of the court cards, drawn for trickbook from a few shapes: half a king, a queen and a jack, down to the waist.
//
// They lie under the license of the whole program (LICENSE). Each figure fits a box from (-30, -6) to (30, 52).

import { s } from "./dom.js";

// Each shape is [look, path]. Looks are colors in table/cards.css.
const FIGURES = {
  K: [
    ["robe", "M-30 52c0-13 7-18 19-20h22c12 2 19 7 19 20z"],
    ["gold", "M-11 32 0 45l11-13 7 2L0 52-18 34z"],
    ["fold", "M-22 52c0-7 1-11 3-14M22 52c0-7-1-11-3-14"],
    ["hair", "M-10 11c-6 3-6 13-4 20 3-1 5-3 5-7zM10 11c6 3 6 13 4 20-3-1-5-3-5-7z"],
    ["skin", "M-9.5 12h19v10c0 6-4 10-9.5 10s-9.5-4-9.5-10z"],
    ["hair", "M-10 21c2 3 4 2 6 1.5 2.5-.8 5.5-.8 8 0 2 .5 4 1.5 6-1.5 1 11-3 18-10 18s-11-7-10-18z"],
    ["ink", "M-6.5 17.500h4M2.5 17.500h4M0 17v4.500M-2.5 27h5"],
    ["gold", "M-13 13-16 1l8 5L0-4l8 10 8-5-3 12z"],
    ["gem", "M-1.8 8.5 0 6l1.8 2.500L0 11zM-9.5 9a1.3 1.3 0 1 0 .1 0zM9.5 9a1.3 1.3 0 1 0 .1 0z"],
  ],
  Q: [
    ["hair", "M-11 8c-8 6-8 20-6 29h34c2-9 2-23-6-29z"],
    ["robe", "M-28 52c0-11 6-15 17-17 5 6 17 6 22 0 11 2 17 6 17 17z"],
    ["skin", "M-4 29h8v7c-2 3-6 3-8 0z"],
    ["gold", "M-12 35c5 8 19 8 24 0l3 1c-6 11-24 11-30 0z"],
    ["fold", "M-18 52c0-5 1-8 3-11M18 52c0-5-1-8-3-11M0 44v8"],
    ["skin", "M-8.5 12h17v9c0 7-4 11-8.5 11S-8.5 28-8.5 21z"],
    ["hair", "M-9 15c0-5 4-6 9-6s9 1 9 6c-4-3-6-3-9-3s-5 0-9 3z"],
    ["ink", "M-6 18.500h3.500M2.5 18.500h3.500M0 18.500v3.5"],
    ["gem", "M-2.2 26.500h4.400L0 28.300z"],
    ["gold", "M-11 10c-1-4-2-7-4-10 3 2 6 2 8-1 2 2 4 0 7-4 3 4 5 6 7 4 2 3 5 3 8 1-2 3-3 6-4 10-7-2-15-2-22 0z"],
  ],
  J: [
    ["hair", "M-11 9c-4 8-4 16-2 23h26c2-7 2-15-2-23z"],
    ["robe", "M-27 52c0-11 6-15 17-17h20c11 2 17 6 17 17z"],
    ["skin", "M-4 28h8v6L0 39l-4-5z"],
    ["gold", "M-12 34 0 41l12-7 4 1.500L2 46l18 6H8L-16 35.500z"],
    ["skin", "M-8.5 10h17v11c0 7-4 11-8.5 11S-8.5 28-8.5 21z"],
    ["ink", "M-6 18h3.500M2.5 18h3.500M0 18v4M-2 27h4"],
    ["robe", "M-14 11c-4-9 4-15 14-15s17 4 15 12z"],
    ["gold", "M-14 8.5 15 7v4.500L-14 13z"],
    ["feather", "M8-2c6-7 15-6 20 1-4-1-6 0-7 3-3-2-8-2-13 2z"],
  ],
};

/** The ranks that have a figure. */
export const COURT = new Set(Object.keys(FIGURES));

/** Draw half a figure, in a piece of the card that cuts off what is outside of it. */
export function bust(rank, { x, y, width, height }) {
  return s("svg", { class: "court", x, y, width, height, viewBox: "-30 -6 60 58" }, shapes(rank));
}

/** Draw a figure twice, the lower one upside down. */
export function twice(rank, { x, y, width, height }) {
  return s("svg", { class: "court", x, y, width, height, viewBox: "-31 -10 62 124" },
    s("g", null, shapes(rank)),
    s("g", { transform: "rotate(180 0 52)" }, shapes(rank)));
}

const shapes = (rank) => FIGURES[rank].map(([look, d]) => s("path", { class: look, d }));
