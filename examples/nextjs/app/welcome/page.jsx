import { cookies } from "next/headers";

export default async function WelcomePage() {
  const visit = await cookies();
  return (
    <>
      <h1>{`Welcome, ${visit.get("firstName")?.value ?? "friend"}!`}</h1>
      <p>Your account is ready.</p>
    </>
  );
}
