/** The focused element at the call of `show`, and whether a user action caused the call. */
export type FocusMemory = { before: Element | null; byPerson: boolean };

export function rememberFocus(): FocusMemory {
  return { before: document.activeElement, byPerson: navigator.userActivation?.isActive === true };
}

/** The frame takes the focus only after a user action, and only if the person has not moved the focus since. */
export function mayEnter({ before, byPerson }: FocusMemory): boolean {
  return byPerson && (document.activeElement === before || isNowhere(document.activeElement));
}

/** Whether the focus would be lost if the frame were removed. */
export function isInFrame(iframe: HTMLElement): boolean {
  const active = document.activeElement;
  return isNowhere(active) || active === iframe || active?.shadowRoot?.activeElement === iframe;
}

export function restoreFocus({ before }: FocusMemory): void {
  if (before instanceof HTMLElement && before.isConnected && !isNowhere(before)) before.focus({ preventScroll: true });
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body;
}
