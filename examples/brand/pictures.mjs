/** The shop's drawings. */

/** The shop's mark: a juniper twig with three berries. */
export const icon =
  '<svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"><path d="M16 29V8M16 22c-5 0-8-3-8-8M16 22c5 0 8-3 8-8"/><g fill="currentColor" stroke="none"><circle cx="8" cy="10" r="3.5"/><circle cx="24" cy="10" r="3.5"/><circle cx="16" cy="5" r="3.5"/></g></svg>';

/** The same mark as a file, which has no text color to follow. */
export const iconFile = icon
  .replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll("currentColor", "#9c3d1a");

const picture = (ground, shapes) =>
  `<svg viewBox="0 0 240 200" aria-hidden="true"><rect width="240" height="200" fill="${ground}"/>${shapes}</svg>`;

const mug = picture(
  "#e9d8c4",
  '<path d="M150 88h18a22 22 0 0 1 0 52h-18" fill="none" stroke="#7a4a2c" stroke-width="11"/><path d="M76 70h84v58a32 32 0 0 1-32 32h-20a32 32 0 0 1-32-32z" fill="#9c5a34"/><ellipse cx="118" cy="70" rx="42" ry="10" fill="#5d3620"/>',
);
const throwBlanket = picture(
  "#d9dfd2",
  '<path d="M54 62h132v84H54z" fill="#5f7355"/><path d="M54 84h132M54 106h132M54 128h132" stroke="#d9dfd2" stroke-width="4"/><path d="M60 146v14M76 146v14M92 146v14M108 146v14M124 146v14M140 146v14M156 146v14M172 146v14" stroke="#5f7355" stroke-width="5"/>',
);
const tray = picture(
  "#e6dccb",
  '<ellipse cx="120" cy="116" rx="84" ry="36" fill="#8a6238"/><ellipse cx="120" cy="108" rx="84" ry="36" fill="#b98750"/><path d="M58 104q62 22 124 0M66 92q54 18 108 0" fill="none" stroke="#a3723d" stroke-width="3"/>',
);

export const products = [
  { name: "Stoneware mug", price: "$24", picture: mug },
  { name: "Wool throw", price: "$68", picture: throwBlanket },
  { name: "Oak tray", price: "$42", picture: tray },
];

/** A shelf with a lamp, a plant and bowls. */
export const hero =
  '<svg viewBox="0 0 420 280" aria-hidden="true"><rect width="420" height="280" fill="#ead9c3"/><circle cx="318" cy="86" r="58" fill="#f6c98f"/><path d="M0 214h420v66H0z" fill="#8a6238"/><path d="M0 214h420v10H0z" fill="#a97c49"/><path d="M70 214v-34a26 26 0 0 1 26-26h28a26 26 0 0 1 26 26v34z" fill="#9c5a34"/><path d="M110 156c-34-20-38-56-30-84 26 14 38 46 30 84zM110 156c34-20 42-60 34-92-26 16-42 52-34 92zM110 156c-6-40 0-78 0-108" fill="#5f7355"/><path d="M228 214l10-46h70l10 46z" fill="#efe6da"/><path d="M240 168h66" stroke="#cbb9a3" stroke-width="5"/><path d="M340 214v-84" stroke="#5d3620" stroke-width="7"/><path d="M308 132l18-50h28l18 50z" fill="#9c3d1a"/></svg>';
