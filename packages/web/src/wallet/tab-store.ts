/** Values that the tab keeps until it closes. If the browser blocks a frame's storage, they are lost with the page. */
const memory = new Map<string, string>();

export const tabStore = {
  get: (key: string): string | null => inStorage((storage) => storage.getItem(key)) ?? memory.get(key) ?? null,
  set(key: string, value: string): void {
    memory.set(key, value);
    inStorage((storage) => storage.setItem(key, value));
  },
  remove(key: string): void {
    memory.delete(key);
    inStorage((storage) => storage.removeItem(key));
  },
};

function inStorage<Result>(what: (storage: Storage) => Result): Result | null {
  try {
    return what(window.sessionStorage);
  } catch {
    return null;
  }
}
