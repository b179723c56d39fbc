export default function PhonePage() {
  return (
    <>
      <h1>Open an account</h1>
      <form method="post" action="/start">
        <label>
          Phone number <input name="phone" type="tel" autoComplete="tel" defaultValue="+12125550010" />
        </label>
        <p>
          By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand and
          other supported sites, and you agree to the <a href="http://localhost:4001/terms">terms of use</a>.
        </p>
        <button type="submit">Continue</button>
      </form>
    </>
  );
}
