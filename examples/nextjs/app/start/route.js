import { Refused, textCode } from "../../countersign.mjs";

export async function POST(request) {
  const form = await request.formData();
  try {
    const verificationUuid = await textCode(form.get("phone"));
    const cookie = `verification=${verificationUuid}; HttpOnly; SameSite=Lax; Path=/`;
    return new Response(null, { status: 303, headers: { location: "/code", "set-cookie": cookie } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return new Response(null, { status: 303, headers: { location: "/own" } });
  }
}
