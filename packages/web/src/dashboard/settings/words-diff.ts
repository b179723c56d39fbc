/** Texts of settings compared line by line, and of what the edits of a section change. */
export const diffWords = {
  diff: {
    before: "Before:",
    after: "After:",
    inDetails: "The order or a detail differs.",
    same: (count: number) => (count === 1 ? "1 more line stays the same." : `${count} more lines stay the same.`),
  },
  changes: {
    title: "What changes",
    none: "Nothing yet. Your edits appear here before you save them.",
    differs: "Differs from the default",
    allDefault: "Every setting of this section has its default.",
    defaultIs: (value: string) => `Default: ${value}`,
  },
};
