/** Every width of the layout after the first is a multiple of this, in CSS pixels. */
const step = 40;
/** Below this width the frame scrolls sideways, in CSS pixels. */
const narrowest = 280;

/**
 * Keeps the first width of the layout, and follows the window only in steps. Otherwise a brand's page could change the
 * frame's width pixel by pixel, and learn from the heights how wide the letters of each value are.
 */
export function holdWidth(): void {
  const app = document.getElementById("app");
  if (app === null) return;
  let width = 0;
  const follow = () => {
    width = widthIn(window.innerWidth, width);
    if (width === 0) return;
    app.style.marginInline = "auto";
    // Browsers may round the window's width up. The layout must not be wider than the window then.
    app.style.width = `min(${width}px, max(100vw, ${narrowest}px))`;
  };
  follow();
  window.addEventListener("resize", follow);
}

/** The width of the layout in a window, after a layout of another width. A hidden frame's window has no width. */
function widthIn(available: number, before: number): number {
  if (available === 0) return before;
  if (before === 0) return available;
  if (available >= before && available < before + step) return before;
  return Math.max(narrowest, Math.floor(available / step) * step);
}
