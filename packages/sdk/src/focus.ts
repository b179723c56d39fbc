/** Where the focus was when the frame was asked for, and whether a person asked. */
export type FocusMemory = { before: Element | null; byPerson: boolean };

export function rememberFocus(): FocusMemory {
  return { before: document.activeElement, byPerson: navigator.userActivation?.isActive === true };
}

/** A frame takes the focus only from the person who asked for it, and not when they have gone elsewhere meanwhile. */
export function mayEnter({ before, byPerson }: FocusMemory): boolean {
  return byPerson && (document.activeElement === before || isNowhere(document.activeElement));
}

/** Whether the focus would be lost with the frame. */
export function isInFrame(iframe: HTMLElement): boolean {
  const active = document.activeElement;
  return isNowhere(active) || active === iframe || active?.shadowRoot?.activeElement === iframe;
}

export function giveBack({ before }: FocusMemory): void {
  if (before instanceof HTMLElement && before.isConnected && !isNowhere(before)) before.focus({ preventScroll: true });
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body;
}
