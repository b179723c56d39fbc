import { isGenuine } from "../../countersign.mjs";

export async function POST(request) {
  const rawBody = await request.text();
  const { headers } = request;
  if (
    !isGenuine(
      rawBody,
      headers.get("X-Webhook-Timestamp") ?? undefined,
      headers.get("X-Webhook-Signature") ?? undefined,
    )
  )
    return new Response(null, { status: 400 });
  const { event, healthDataUuid } = JSON.parse(rawBody);
  console.log(event, healthDataUuid);
  return new Response(null, { status: 204 });
}
