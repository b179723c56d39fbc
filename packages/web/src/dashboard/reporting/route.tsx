/** A route, which may break after its slashes and nowhere else. */
export function Route({ path }: { path: string }) {
  return (
    <code class="route">
      {path.split("/").map((part, place) => (
        <>
          {place === 0 ? null : (
            <>
              /<wbr />
            </>
          )}
          {part}
        </>
      ))}
    </code>
  );
}
