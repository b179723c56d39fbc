/** Visits every wallet screen in order, in any look and language. The caller's `see` runs on each screen. */
import assert from "node:assert/strict";
import { consentTexts } from "@countersign/contract/consent";
import { valueName } from "@countersign/contract/names";
import { en, type Words } from "../../wallet/words-en.ts";
import { es } from "../../wallet/words-es.ts";
import { type BrowserSandbox, begin, type Person } from "./browser.ts";

export const languages = { en, es };
const primary = "+12125550010";
const minute = 60_000;
/** A brand states a purpose in the person's language. */
const purposes = {
  en: { address: "Where your card goes", ssn: "For your credit check" },
  es: { address: "Adonde enviamos su tarjeta", ssn: "Para revisar su crédito" },
};
export const several = (language: keyof typeof purposes = "en") => [
  { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
  {
    type: "AddressCredential",
    multi: true,
    description: purposes[language].address,
    children: [
      { type: "Line1Credential" },
      { type: "CityCredential" },
      { type: "StateCredential" },
      { type: "ZipCodeCredential" },
    ],
  },
  { type: "BirthDateCredential" },
  { type: "SsnCredential", mandatory: "yes" },
  { type: "EmployerNameCredential" },
];
const needsSsn = (allowUserInput: boolean, language: keyof typeof purposes) => [
  { type: "SsnCredential", mandatory: "yes", allowUserInput, description: purposes[language].ssn },
];

const looks = {
  demo: { externalName: "Demo Hosted" },
  // Yellow on dark blue: the service must correct the colors of button text and links.
  night: {
    externalName: "Hooli",
    styling: {
      primaryColor: "#FFD400",
      errorColor: "#8B0000",
      mutedColor: "#222244",
      backgroundColor: "#0B1020",
      alignment: "left",
      fontFamily: "Lato",
      inputRadius: 0,
      buttonRadius: 0,
    },
  },
  // All colors are pale, and the name barely fits.
  pale: {
    externalName: "Bachmanity Insurance & Pied Piper Credit Union of Northern California",
    styling: {
      primaryColor: "#FFB7DD",
      errorColor: "#FFC9C9",
      mutedColor: "#E5E5E5",
      backgroundColor: "#FFF8FC",
      alignment: "stretch",
      inputRadius: 20,
      buttonRadius: 40,
      successAnimation: "none",
    },
  },
} as const;
export type Look = keyof typeof looks;

/** Creates a brand with a look and returns its key. The brand is hosted by default; the `night` look has a logo. */
export async function brandOf(it: BrowserSandbox, look: Look, more: Record<string, unknown> = {}): Promise<string> {
  const hosted = { integrationType: "hosted", redirectUrl: `${it.walletUrl}/demo/landing` };
  const settings = { ...hosted, ...looks[look], ...more };
  const { apiKey, uuid } = await it.brand(settings);
  if (look === "night") await uploadLogo(it, uuid, apiKey);
  return apiKey;
}

async function uploadLogo(it: BrowserSandbox, uuid: string, authorization: string): Promise<void> {
  const { page, done } = await it.person();
  await page.setContent('<p id="p">H</p>');
  await page.addStyleTag({
    content:
      "#p{margin:0;width:96px;height:96px;background:#FFD400;color:#0B1020;font:700 72px/96px serif;text-align:center}",
  });
  const payload = await page.locator("#p").screenshot();
  await done();
  const headers = { authorization, "content-type": "image/png" };
  const { status } = await it.inject({ method: "PUT", url: `/sandbox/brands/${uuid}/logo`, headers, payload });
  assert.equal(status, 200);
}

export type Tour = {
  it: BrowserSandbox;
  person: Person;
  apiKey: string;
  say?: Words;
  /** Runs on each screen after its step has appeared. */
  see(name: string): Promise<unknown>;
};

/** Goes from the code to the brand's page, with every input, the review, the edit and the decision. */
export async function tourOfFlow({ it, person, apiKey, say = en, see }: Tour): Promise<void> {
  const { page, box, button, at } = person;
  const nameOf = (key: string) => valueName(key, "", say.language);
  const stop = async (name: string, step: string) => {
    await at(step);
    await see(name);
  };
  const begun = await begin(it, "+12125550020", { apiKey, body: { credentialRequests: several(say.language) } });
  await page.goto(begun.url);
  await stop("code", "verificationCode");
  await box(say.codeLabel).fill("000");
  await box(say.codeLabel).press("Enter");
  await page.getByText(say.codeIncomplete).first().waitFor();
  await stop("code incomplete", "verificationCode");
  await box(say.codeLabel).fill("000000");
  await page.getByText(say.codeWrong(2)).first().waitFor();
  await stop("code wrong", "verificationCode");
  await box(say.codeLabel).fill(begun.code);
  await stop("birthday", "birthday");
  await box(say.birthday).fill("1/1/1970");
  await page.getByText(say.mismatch(2)).first().waitFor();
  await stop("birthday mismatch", "birthday");
  await button(say.cannotAnswer).click();
  await button(say.instead["fullName.firstName"]).click();
  await stop("first name", "firstName");
  await button(say.cannotAnswer).click();
  await button(say.instead.ssn4).click();
  await stop("ssn4", "ssn4");
  await box(say.ssn4).fill("6789");
  await stop("review", "review");
  await button(`${say.changeChoice(3)} ${nameOf("address")}`).click();
  await stop("review addresses", "review");
  await button(say.from.phone_carrier).last().click();
  await stop("review sources", "review");
  await button(say.edit).click();
  await box(nameOf("firstName")).fill("Rick");
  await button(`${say.change} ${say.birthday.toLowerCase()}`).click();
  await box(say.birthday).fill("nonsense");
  await button(say.save).click();
  await stop("edit with a problem", "review");
  await box(say.birthday).fill("");
  await button(say.save).click();
  await page.getByText(say.from.self_attested).first().waitFor();
  await stop("review typed", "review");
  await button(say.share).click();
  await stop("done, shared", "done");
  await person.landed("waited");
}

/** Visits every other ending. */
export async function tourOfEnds({ it, person, apiKey, say = en, see }: Tour): Promise<void> {
  const { page, box, button, at } = person;
  const open = async (phone: string, body: object = {}, code?: string) => {
    const begun = await begin(it, phone, { apiKey, body });
    await page.goto(begun.url);
    await box(say.codeLabel).fill(code ?? begun.code);
    return begun;
  };
  const stop = async (name: string, step = "error") => {
    await at(step);
    await see(name);
  };
  await open("+14045551300");
  await button(say.stateId.without).click();
  await stop("no data");
  await open("+14045551775");
  await stop("risk");
  await open("+13135550033", { credentialRequests: needsSsn(false, say.language) });
  await stop("missing");
  await open("+13135550033", { credentialRequests: needsSsn(true, say.language) });
  await stop("missing, to be typed", "review");
  await button(consentTexts.decline[say.language].button).click();
  await stop("declined", "done");
  const used = await open(primary, {}, "000000");
  for (const left of [2, 1]) {
    await page.getByText(say.codeWrong(left)).first().waitFor();
    await box(say.codeLabel).fill("000000");
  }
  await stop("too many codes");
  await page.goto("about:blank");
  await page.goto(used.url);
  await at("error");
  await open("+12125550022");
  for (const [year, said] of [
    [1971, say.mismatch(2)],
    [1972, say.mismatch(1)],
    [1973, say.mismatch(0)],
    [1974, say.endTitles.mismatches],
  ] as const) {
    await box(say.birthday).fill(`1/1/${year}`);
    await page.getByText(said).first().waitFor();
    await page.getByText(say.checking).first().waitFor({ state: "detached" });
  }
  await stop("too many tries");
  await open(primary);
  await at("review");
  await person.context.setOffline(true);
  await button(say.share).click();
  await page.getByText(say.undecided.LOST).waitFor();
  await stop("review without connection", "review");
  await person.context.setOffline(false);
  await it.advance(61 * minute);
  await button(say.share).click();
  await stop("over");
  await page.goto(`${it.walletUrl}/request/nothing`);
  await stop("unknown address");
  const late = await begin(it, primary, { apiKey });
  await it.advance(6 * minute);
  await page.goto(late.url);
  await stop("expired");
}
