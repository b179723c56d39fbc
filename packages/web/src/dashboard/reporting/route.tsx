/** A route. It breaks only after its slashes. */
export function Route({ path }: { path: string }) {
  return (
    <code class="route">
      <Slashes text={path} />
    </code>
  );
}

/** A text. It breaks preferably after its slashes. */
export function Slashes({ text }: { text: string }) {
  return (
    <>
      {text.split("/").map((part, place) => (
        <>
          {place === 0 ? null : (
            <>
              /<wbr />
            </>
          )}
          {part}
        </>
      ))}
    </>
  );
}
