export default async function CodePage({ searchParams }) {
  const { wrong } = await searchParams;
  return (
    <>
      <h1>Enter your code</h1>
      <p role="alert">{wrong ? "That code is not right. Try again." : ""}</p>
      <form method="post" action="/finish">
        <label>
          Verification code{" "}
          <input name="code" inputMode="numeric" autoComplete="one-time-code" pattern="[0-9]{6}" required />
        </label>
        <button type="submit">Continue</button>
      </form>
    </>
  );
}
