import { cookies } from "next/headers";
import { Refused, signUp } from "../../countersign.mjs";

const goTo = (location) => new Response(null, { status: 303, headers: { location } });

export async function POST(request) {
  const form = await request.formData();
  const visit = await cookies();
  try {
    const { fullName } = await signUp(visit.get("verification")?.value ?? "", form.get("code"));
    // In your app, create the account here. The name goes into a cookie only for this page.
    visit.set("firstName", fullName?.firstName ?? "friend", { httpOnly: true, sameSite: "lax" });
    return goTo("/welcome");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const mayTryAgain = error.errorCode === "OCV001" && error.data.attemptsRemaining > 0;
    return goTo(mayTryAgain ? "/code?wrong=yes" : "/own");
  }
}
