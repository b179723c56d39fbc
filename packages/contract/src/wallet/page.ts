import type { Static } from "typebox";
import { VerificationMethod } from "../brand-api/entity.ts";
import { credentialRequestsMax } from "../credential/credential.ts";
import { endpointsOf } from "../endpoint.ts";
import { ChallengeInput } from "../errors.ts";
import { anyOf, Day, Millis, mapOf, ShortText, Ssn4, stringEnum, t, Uuid } from "../primitives.ts";

const open = endpointsOf({ tag: "Wallet", auth: "none" });
const Typed = t.String({ maxLength: 200 });
const Page = t.Object({ page: t.String({ maxLength: 100 }) });

/** What a brand gets even if the person declines: in OpenID Connect nothing, and no risk without risk signals. */
export const AnywayGets = stringEnum("nothing", "phone", "phoneAndRisk");
export type AnywayGets = Static<typeof AnywayGets>;

/** The brand as the person sees it. */
export const BrandLook = t.Object({
  name: t.String(),
  manualSignup: stringEnum("useYourOwn", "hide"),
  /** Path of the style sheet with the brand's colors, corners and type. */
  theme: t.String(),
  /** Path of the brand's logo on the wallet. Absent without a logo. */
  logo: t.Optional(t.String()),
  /** Host name of the brand's website, from its settings. Absent if they name none, or only this machine. */
  site: t.Optional(t.String()),
  successAnimation: stringEnum("full", "none"),
  anyway: AnywayGets,
});
export type BrandLook = Static<typeof BrandLook>;

/** The consent text that the person agreed to, as the screen showed it. Its words are in `consent.ts`. */
export const ConsentBody = t.Object({
  version: t.String({ minLength: 1, maxLength: 50 }),
  language: stringEnum("en", "es"),
  /** Whether the browser showed a translation of the text. */
  translated: t.Optional(t.Boolean()),
});

/**
 * Names what a view shows and asks. Nobody can compute it without the service's key, so it tells nothing about hidden
 * digits.
 */
const Shown = t.String({ maxLength: 100 });
/** The text that the person agreed to, and the `shown` of the view above it. */
const ConsentOnView = t.Object({ ...ConsentBody.properties, shown: t.Optional(Shown) });

/** What a page shows before the phone is proven. The only data of the person in it is the end of the phone number. */
export const PageIntro = t.Object({
  brand: BrandLook,
  title: t.Optional(t.String()),
  description: t.Optional(t.String()),
  /**
   * `stopped`: the person reported that they had not asked for the text. `proven`: only the session that proved the
   * phone may continue.
   */
  state: stringEnum("open", "expired", "attemptsUsed", "stopped", "proven"),
  /** The service's current time. The browser counts down to `expiresAt` from it. */
  now: Millis,
  expiresAt: Millis,
  attemptsRemaining: t.Integer({ minimum: 0 }),
  /** The phone of an open page, masked except for the last four digits: (•••) •••-0010. */
  phone: t.Optional(t.String()),
  /** When the newest text was sent. */
  textedAt: Millis,
  /** Whether the person can request a new code here. Otherwise only the brand sends texts. */
  canResend: t.Boolean(),
  /** Returns the person to the brand without a proof. The brand then finds no data. */
  backUrl: t.Optional(t.String()),
  /** Link to the brand's own form, for a person who prefers to type everything there. Absent if the brand hides it. */
  optOutUrl: t.Optional(t.String()),
});
export type PageIntro = Static<typeof PageIntro>;

/** One value that the person may type: an atomic credential, or a part of a composite one. */
export const ReviewInput = t.Object({
  key: t.String(),
  /** The schema library's title, in English. */
  title: t.String(),
  /** The brand's description of a part. */
  description: t.Optional(t.String()),
  /** `if_available`: it must not be emptied if the chosen value has it. */
  mandatory: stringEnum("yes", "no", "if_available"),
  /** Whether a value with parts is incomplete without this part, such as an address without a city. */
  essential: t.Boolean(),
  kind: stringEnum("text", "date", "email", "ssn", "select"),
  options: t.Optional(t.Array(t.Object({ value: t.String(), label: t.String() }))),
});
export type ReviewInput = Static<typeof ReviewInput>;

/** Who a value comes from: the brand that issued it, the state whose ID it is from, or a kind of source. */
export const ValueSource = t.Object({
  method: VerificationMethod,
  issuer: t.Optional(t.String()),
  /** The name of the state whose ID has the value, such as California. */
  state: t.Optional(t.String()),
  /** The keys of the parts that come from here. Absent if the value has no parts. */
  parts: t.Optional(t.Array(t.String())),
});
export type ValueSource = Static<typeof ValueSource>;

/** The name of a credential: its key, and the schema library's title, in English. */
const Detail = t.Object({ key: t.String(), title: t.String() });

/** One credential to review. The service masks hidden digits, so they never reach the browser. */
export const ReviewField = t.Object({
  key: t.String(),
  type: t.String(),
  title: t.String(),
  mandatory: stringEnum("yes", "no", "if_available"),
  /**
   * Whether the person can leave it out. `always`: the brand gets the phone number even if the person declines, so
   * nothing can be left out.
   */
  sharing: stringEnum("required", "optional", "always"),
  allowUserInput: t.Boolean(),
  description: t.Optional(t.String()),
  /** No value, one, or several to choose from. Each is a masked text, or masked parts by key. */
  choices: t.Array(
    t.Object({
      text: t.Optional(t.String()),
      parts: t.Optional(mapOf(t.String())),
      /** The different sources of its parts, in the order of the parts. */
      sources: t.Array(ValueSource),
    }),
  ),
  /** Inputs for typed values. Empty if the brand accepts only sourced values. */
  inputs: t.Array(ReviewInput),
});
export type ReviewField = Static<typeof ReviewField>;

/** The person's insurance before sharing: the details to look up, the wait, or the plans found. */
export const Insurance = t.Object({
  state: stringEnum("details", "loading", "plans"),
  /** Known details for the lookup. The year of the birth date is masked. */
  known: t.Optional(
    t.Object({
      firstName: t.Optional(t.String()),
      lastName: t.Optional(t.String()),
      birthDate: t.Optional(t.String()),
    }),
  ),
  /** The known details from a source, which the person cannot change. */
  fixed: t.Optional(t.Array(stringEnum("firstName", "lastName", "birthDate"))),
  /** The service masks the member id except its last four characters, or all of it if the person typed a detail. */
  plans: t.Optional(
    t.Array(
      t.Object({
        payer: t.String(),
        memberId: t.String(),
        coverageTypes: t.Array(stringEnum("medical", "dental", "vision")),
      }),
    ),
  ),
});
export type Insurance = Static<typeof Insurance>;

/** What a state ID does on this page. */
export const StateIdUse = t.Object({
  /**
   * `offered`: it can answer the question, or fill in what is missing, or after OCE013 everything. `required`: the brand
   * asks for it before the person shares. `unavailable`: the same, but the service accepts no state IDs now. `used`: its
   * values are in the review.
   */
  state: stringEnum("offered", "required", "unavailable", "used"),
  /** The name of the state that issued the used ID, such as California. */
  issuedBy: t.Optional(t.String()),
  /** The details in which the used ID differs from a source, and which of the two the brand gets. */
  conflicts: t.Optional(t.Array(t.Object({ key: t.String(), title: t.String(), kept: stringEnum("source", "id") }))),
});
export type StateIdUse = Static<typeof StateIdUse>;

/** What a page shows once the phone is proven. */
export const PageView = t.Object({
  step: stringEnum("inputs", "review", "health", "done", "error"),
  brand: BrandLook,
  /** The last four digits of the proven phone. Someone with another person's link sees that it is not theirs. */
  phoneEnding: t.String(),
  title: t.Optional(t.String()),
  description: t.Optional(t.String()),
  /** A decision on this view sends it back. Absent where there is nothing to decide. */
  shown: t.Optional(Shown),
  inputs: t.Optional(t.Array(ChallengeInput)),
  fields: t.Optional(t.Array(ReviewField)),
  /** Absent where a state ID is of no use. */
  stateId: t.Optional(StateIdUse),
  /** The person's insurance. Present in the step `health`. */
  health: t.Optional(Insurance),
  /**
   * The result of a finished page. `returned`: the brand shows the data itself. `verified`: the brand asked for no
   * data.
   */
  outcome: t.Optional(stringEnum("shared", "declined", "returned", "verified", "insured", "uninsured")),
  errorCode: t.Optional(t.String()),
  /** After OCE007: the required details that no source has and that cannot be entered. */
  missing: t.Optional(t.Array(Detail)),
  /** After sharing: what the brand got, and until when it can read it. */
  shared: t.Optional(t.Object({ details: t.Array(Detail), readableUntil: Millis })),
  /** Where the person continues after the step `done` or `error`. */
  redirectUrl: t.Optional(t.String()),
  /** IDs that the frame reports to the brand's page. */
  identityUuid: t.Optional(Uuid),
  verificationUuid: t.Optional(Uuid),
  healthDataUuid: t.Optional(Uuid),
});
export type PageView = Static<typeof PageView>;

export const readPage = open("readPage", "GET /api/page/:page", {
  summary: "The state of a page before the phone is proven",
  about: { token: "params.page" },
  params: Page,
  reply: PageIntro,
  errors: ["OCE015"],
});

export const provePage = open("provePage", "POST /api/page/:page/code", {
  summary: "Prove the phone",
  description: "From then on the page's URL is not enough: further calls need the token in this answer.",
  about: { token: "params.page" },
  params: Page,
  body: t.Object({
    code: t.String({ pattern: "^[0-9]{3}-?[0-9]{3}$" }),
    /** The redirect that a v1 brand may add to the page's URL. The brand's settings must allow it. */
    redirectUrl: t.Optional(t.String({ maxLength: 2000 })),
  }),
  reply: t.Object({ sessionToken: t.String() }),
  status: 201,
  errors: ["ERR001", "OCE015", "OCV001", "OCV002", "OCV007"],
});

export const resendPage = open("resendPage", "POST /api/page/:page/resend", {
  summary: "Text a new code, if the service sends the texts",
  about: { token: "params.page" },
  params: Page,
  reply: PageIntro,
  errors: ["ERR001", "OCE015", "OCV003", "OCV004", "OCV011"],
});

export const viewPage = open("viewPage", "GET /api/page", {
  summary: "The current step of the page",
  description: "Needs `Authorization: Bearer <sessionToken>`.",
  reply: PageView,
  errors: ["OCE015"],
});

export const amendPage = open("amendPage", "POST /api/page/inputs", {
  summary: "Send an input that identifies the person",
  body: t.Object({ birthDate: t.Optional(Day), ssn4: t.Optional(Ssn4), firstName: t.Optional(ShortText) }),
  reply: PageView,
  errors: ["ERR001", "OCE012", "OCE015"],
});

export const decidePage = open("decidePage", "POST /api/page/decision", {
  summary: "Share or decline",
  description:
    "The consent record contains the service's own text for the version and language that `consent` names. If the page shows something else by now, nothing is decided and the answer is 409: read the page again.",
  body: t.Object({
    share: t.Boolean(),
    /** Index of the chosen value, by credential key. Default: the first. */
    choices: t.Optional(mapOf(t.Integer({ minimum: 0, maximum: 2 }))),
    /** What the person typed, by credential key: a text, or parts by key. A day is yyyy-MM-dd. */
    edits: t.Optional(mapOf(anyOf(Typed, mapOf(Typed)))),
    /** The keys of optional credentials that the person does not share. */
    leftOut: t.Optional(t.Array(t.String({ maxLength: 100 }), { maxItems: credentialRequestsMax })),
    consent: ConsentOnView,
  }),
  // A person may type every value of a long form.
  bodyLimit: 32_768,
  reply: PageView,
  errors: ["ERR001", "OCE015"],
  refusals: [409],
});

export const beginPresentation = open("beginPresentation", "POST /api/page/presentation", {
  summary: "Ask the person's wallet app for details that are missing",
  description: "The request ends after ten minutes. `page` is the page's name, to which the wallet app returns.",
  body: Page,
  reply: t.Object({ request: t.String(), now: Millis, expiresAt: Millis }),
  status: 201,
  errors: ["ERR001", "OCE015"],
  refusals: [404],
});

export const takePresentation = open("takePresentation", "POST /api/page/presentation/result", {
  summary: "Add the details from the wallet app to the review",
  description: "Only the browser to which the wallet app returned has the code. Nothing is shared before the decision.",
  body: t.Object({ code: t.String({ minLength: 1, maxLength: 100 }) }),
  reply: PageView,
  errors: ["ERR001", "OCE015"],
  refusals: [404],
});

/** The member `data` of a request or an answer of the Digital Credentials API. Its shape depends on the protocol. */
const CredentialData = t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });

const StateIdProtocol = stringEnum("openid4vp-v1-signed", "openid4vp-v1-unsigned", "org-iso-mdoc");

export const askStateId = open("askStateId", "POST /api/page/state-id", {
  summary: "Ask the wallet of the person's phone for a state ID",
  description:
    "`requests` is what `navigator.credentials.get({ digital: { requests } })` takes. Only the session that asked can answer. An earlier request of this page ends.",
  reply: t.Object({
    request: Uuid,
    requests: t.Array(t.Object({ protocol: StateIdProtocol, data: CredentialData })),
    now: Millis,
    expiresAt: Millis,
  }),
  status: 201,
  errors: ["OCE015"],
  refusals: [404],
});

export const answerStateId = open("answerStateId", "POST /api/page/state-id/answer", {
  summary: "Use the state ID that the browser got",
  description:
    "Answers the page's question with it, or adds its values to the review. Nothing is shared before the decision. `data.reason` of a refusal says what the person can do.",
  body: t.Object({ request: Uuid, protocol: StateIdProtocol, data: CredentialData }),
  bodyLimit: 32_768,
  reply: PageView,
  errors: ["ERR001", "OCE015", "OCE022"],
});

export const findInsurance = open("findInsurance", "POST /api/page/health", {
  summary: "Search for the person's insurance",
  description:
    "Searches by the shared data, and by what the person types for missing details. A detail from a source cannot be changed, and a birth date from a source cannot be sent. A typed birth date counts as an attempt at the challenge. The brand gets no result before the person chooses.",
  body: t.Object({
    firstName: t.Optional(ShortText),
    lastName: t.Optional(ShortText),
    birthDate: t.Optional(Day),
  }),
  reply: PageView,
  errors: ["ERR001", "OCE015", "OCE019"],
  refusals: [403],
});

export const chooseInsurance = open("chooseInsurance", "POST /api/page/health/choice", {
  summary: "Choose the insurance to share",
  description:
    "`plan`, the position of a plan that was found; or `payerId` and `memberId` of another plan; or none of them. For a plan, 409 says that the page shows something else by now.",
  body: t.Object({
    plan: t.Optional(t.Integer({ minimum: 0, maximum: 1 })),
    payerId: t.Optional(t.String({ minLength: 1, maxLength: 50 })),
    memberId: t.Optional(t.String({ pattern: "^ *[A-Za-z0-9][A-Za-z0-9 -]{0,79}$" })),
    consent: ConsentOnView,
  }),
  reply: PageView,
  errors: ["ERR001", "OCE015"],
  refusals: [409],
});

export const searchInsurers = open("searchInsurers", "GET /api/insurers", {
  summary: "Search insurers by the text that a person types",
  query: t.Object({ search: t.String({ maxLength: 100 }) }),
  reply: t.Array(t.Object({ payerId: t.String(), name: t.String() })),
});
