/**
 * The pictures of the screens on which a page ends, as shapes in a box of 120 by 96. The applications and the pages
 * without a script draw the same ones. `layout.css` gives the classes their colors, so that a brand's colors apply.
 */
type Shape = readonly [
  tag: "circle" | "ellipse" | "path" | "rect",
  attributes: Readonly<Record<string, string | number>>,
];
type Drawing = {
  /** The color: of success, of a company's act, of an error, or none. */
  tone: "good" | "other" | "bad" | "calm";
  shapes: readonly Shape[];
};

const ground: Shape = ["ellipse", { class: "ground", cx: 60, cy: 50, rx: 54, ry: 40 }];
const paper = (more: object = {}): Shape => [
  "rect",
  { class: "paper", x: 24, y: 20, width: 64, height: 50, rx: 8, transform: "rotate(-5 56 45)", ...more },
];
const face: Shape = ["circle", { class: "faint", cx: 39, cy: 40, r: 7 }];
const words: readonly Shape[] = [
  ["path", { class: "line", d: "M52 36l24-2" }],
  ["path", { class: "line", d: "M53 44l15-1.3" }],
];
const badge: Shape = ["circle", { class: "badge", cx: 86, cy: 66, r: 17 }];
const sign = (d: string): Shape => ["path", { class: "sign", d, pathLength: 1 }];
const phone: readonly Shape[] = [
  ["rect", { class: "paper", x: 38, y: 10, width: 42, height: 74, rx: 9 }],
  ["path", { class: "line", d: "M53 17h12" }],
];

export const endPictures = {
  /** A card that a second stroke has signed. */
  done: {
    tone: "good",
    shapes: [
      ground,
      paper(),
      face,
      ...words,
      ["path", { class: "stroke", d: "M33 60c6-9 9-8 8-1s5 3 8-2 5-1 5 1 5 0 9-2" }],
      badge,
      sign("M78.5 66.5l5.5 5.5 10-11.5"),
    ],
  },
  /** The outline of a card that is gone, and a tick. */
  deleted: {
    tone: "good",
    shapes: [ground, paper({ class: "paper empty" }), badge, sign("M78.5 66.5l5.5 5.5 10-11.5")],
  },
  /** A card with a lock. */
  declined: {
    tone: "calm",
    shapes: [
      ground,
      paper(),
      face,
      ...words,
      ["path", { class: "line", d: "M34 60l38-3.3" }],
      badge,
      ["rect", { class: "solid", x: 78.5, y: 64, width: 15, height: 11, rx: 2.5 }],
      sign("M81.5 64v-3.5a4.5 4.5 0 0 1 9 0V64"),
    ],
  },
  /** An empty outline and a magnifier. */
  nothing: {
    tone: "calm",
    shapes: [
      ground,
      paper({ class: "paper empty" }),
      ["circle", { class: "lens", cx: 82, cy: 58, r: 15 }],
      ["path", { class: "handle", d: "M93 69l10 10" }],
      ["path", { class: "line", d: "M76 58h12" }],
    ],
  },
  /** A phone whose message is crossed out. */
  stopped: {
    tone: "other",
    shapes: [
      ground,
      ...phone,
      ["rect", { class: "bubble", x: 24, y: 30, width: 44, height: 22, rx: 8 }],
      ["path", { class: "line", d: "M33 38h26M33 45h16" }],
      badge,
      sign("M79 73l14-14"),
    ],
  },
  /** A phone with a tick. */
  proven: {
    tone: "good",
    shapes: [
      ground,
      ...phone,
      ["rect", { class: "bubble", x: 24, y: 32, width: 44, height: 18, rx: 8 }],
      ["path", { class: "dots", d: "M33 41h.01M39.5 41h.01M46 41h.01M52.5 41h.01M59 41h.01" }],
      badge,
      sign("M78.5 66.5l5.5 5.5 10-11.5"),
    ],
  },
  /** A clock. */
  expired: {
    tone: "calm",
    shapes: [
      ground,
      ["circle", { class: "paper", cx: 60, cy: 48, r: 30 }],
      ["path", { class: "line", d: "M60 23v4M60 69v4M35 48h4M81 48h4" }],
      ["path", { class: "stroke", d: "M60 48V33M60 48l11 7" }],
      ["circle", { class: "solid ink", cx: 60, cy: 48, r: 3.5 }],
    ],
  },
  /** A shield. */
  guarded: {
    tone: "other",
    shapes: [
      ground,
      ["path", { class: "paper", d: "M60 12c9 7 17 9 27 10v20c0 20-12 33-27 41-15-8-27-21-27-41V22c10-1 18-3 27-10z" }],
      ["path", { class: "stroke", d: "M60 32v18M60 61v.01" }],
    ],
  },
  /** A torn card. */
  broken: {
    tone: "bad",
    shapes: [
      ground,
      ["path", { class: "paper", d: "M32 20h24l-5 12 7 9-6 12 6 17H32a8 8 0 0 1-8-8V28a8 8 0 0 1 8-8z" }],
      ["path", { class: "paper", d: "M66 22h16a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8H69l-5-17 6-12-7-9z" }],
      face,
      badge,
      sign("M86 57v10M86 74v.01"),
    ],
  },
} as const satisfies Readonly<Record<string, Drawing>>;
export type EndPicture = keyof typeof endPictures;
