/** A route, which may break after its slashes and nowhere else. */
export function Route({ path }: { path: string }) {
  return (
    <code class="route">
      <Slashes text={path} />
    </code>
  );
}

/** A text that breaks after its slashes if it can. */
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
