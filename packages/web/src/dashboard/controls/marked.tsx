/** Shows text between backquotes as code. */
export function Marked({ text }: { text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 0 ? part : <code key={part}>{part}</code>))}</>;
}
