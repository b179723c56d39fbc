import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import type { DashboardBrowser } from "./dashboard.ts";

/** Waits for a brand's request log lines, which are written in the background. */
export const logged = (it: DashboardBrowser, brand: string, count: number) =>
  eventually(async () => {
    const lines = it.store.db.selectFrom("request_log").select("id").where("brand_uuid", "=", brand);
    return (await lines.execute()).length >= count ? true : undefined;
  });

/** Creates a brand with several kinds of calls over three hours, and waits for its request log lines. */
export async function busyBrand(it: DashboardBrowser) {
  const { uuid, api } = await it.brand({ health: { enabled: true } });
  const phone = freshPhone();
  for (let hour = 0; hour < 3; hour += 1) {
    const { uuid: proof } = (await api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body;
    await api.deliverVerification({ params: { uuid: proof } });
    await it.runJobs();
    await api.submitVerificationCode({ params: { uuid: proof }, body: { code: "111111" } });
    const identity = (await api.createOneClick({ body: { phone: "+12125550010" } })).body.uuid;
    await api.createHealthLookup({ body: { identityUuid: identity } });
    await refusal(api.createOneClick({ body: { phone: "+12125550020" } }));
    await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
    await api.createVerification({ body: { channel: "sms", phone } });
    await it.advance(60 * 60_000);
  }
  await logged(it, uuid, 24);
  return { uuid, phone };
}
