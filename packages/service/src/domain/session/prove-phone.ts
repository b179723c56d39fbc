import { isLoopbackHost } from "@countersign/contract/loopback";
import { siteHost } from "../brand/redirect.ts";
import { otpHost } from "../brand/settings.ts";
import type { Brand, Caller, HomeDeps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { integrations } from "../journey.ts";
import { findPerson } from "../person.ts";
import { supportedPhone } from "../phone.ts";
import type { DeviceChannel } from "../ports.ts";
import { type Begun, beginOneClick } from "../signup/begin.ts";
import { textOneClick } from "../signup/page/invite.ts";
import { beginDevice } from "../verification/begin.ts";
import { deviceIpOf, type ProvingShown, provingConsent, type Session } from "./session.ts";
import { countPhone, setDeviceVerification, setPerson } from "./session-rows.ts";

/** Maximum number of phones that a session may try: enough for typing mistakes, too few to probe numbers. */
const phonesMax = 5;

/** Texts a code to a phone. The page then asks for the code. */
export async function beginByText(
  deps: HomeDeps,
  session: Session,
  input: { phone: string; within?: string; consent: ProvingShown },
): Promise<Begun> {
  const { caller } = session;
  const consent = provingConsent(deps, session, input.consent);
  const phone = supportedPhone(deps, input.phone);
  await usePhone(session);
  const cell = await deps.cells.ofPhone(phone);
  const { createdAt: sessionAt, secrets } = session;
  const { inputs } = secrets;
  const within = hostInText(deps, caller.brand, input.within);
  const page = within === undefined ? {} : { within };
  const journey = journeyOf(caller);
  const begun = await beginOneClick(cell, caller, journey, { phone, inputs, page, consent, sessionAt });
  const { personUuid, verificationUuid } = begun;
  // Otherwise a deletion would leave the inputs, because the brand named no phone.
  if (secrets.phone === undefined) await setPerson(session, personUuid);
  await textOneClick(cell, caller, { verificationUuid, journey, format: "code", within });
  return begun;
}

/**
 * The host of the page around the frame, if a text may name it. The browser reports the host, so it must belong to an
 * allowed origin, or to this machine if every page may frame. In production, the operator must also have approved it.
 */
function hostInText(deps: HomeDeps, { settings }: Brand, claimed: string | undefined): string | undefined {
  if (deps.policy.namesWait) return claimed === otpHost(settings) ? claimed : undefined;
  const { allowedOrigins } = settings;
  const isAllowed =
    allowedOrigins.length === 0
      ? deps.policy.openFraming && claimed !== undefined && isLoopbackHost(claimed)
      : allowedOrigins.some((origin) => siteHost(origin) === claimed);
  return isAllowed ? claimed : undefined;
}

/** Redirects the device to its carrier, which reports its phone (`autofill`) or confirms this one (`silent`). */
export async function beginByCarrier(
  deps: HomeDeps,
  session: Session,
  input: { channel: DeviceChannel; phone?: string; callerIp: string },
): Promise<string> {
  const { channel } = input;
  const phone = input.phone === undefined ? undefined : supportedPhone(deps, input.phone);
  await usePhone(session);
  const deviceIp = deviceIpOf(deps, session, input.callerIp);
  // The phone is unknown until its carrier identifies the device, so any cell can begin.
  const cell = phone === undefined ? deps.cells.ofText(session.uuid) : await deps.cells.ofPhone(phone);
  const { uuid, location } = await beginDevice(cell, session.caller, { channel, deviceIp, phone, inWallet: true });
  const person = phone === undefined || session.secrets.phone !== undefined ? null : await findPerson(cell, phone);
  // Otherwise a deletion would leave the inputs, because the brand named no phone.
  if (person !== null) await setPerson(session, person.uuid);
  await setDeviceVerification(session, uuid);
  return location;
}

/** Counts the phone before it is used. */
async function usePhone(session: Session): Promise<void> {
  if (!(await countPhone(session, phonesMax))) throw refuse(429, `A session can try at most ${phonesMax} phones.`);
}

function journeyOf({ brand }: Caller) {
  const journey = integrations[brand.settings.integrationType].journey;
  if (journey === null) throw fail("SKE001", {});
  return journey;
}
