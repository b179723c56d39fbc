/** What this tab remembers until it is closed; in a frame whose storage the browser keeps shut, until it is left. */
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
