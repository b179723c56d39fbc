import { credentialTypes } from "../credential/credential.ts";

type Meanings = Readonly<Record<string, string>>;

const methods = {
  credit_bureau: "A credit bureau confirmed the value.",
  data_bureau: "A data bureau confirmed the value.",
  phone_carrier: "The phone's carrier confirmed the value.",
  otp: "The person proved it with a code that this service sent.",
  customer_otp: "The brand asserts that it proved it.",
  self_attested: "The person entered the value.",
  government_id: "It comes from a state ID in the wallet of the person's phone.",
};
const words = {
  Signup: "“1-Click Signup”.",
  Login: "“1-Click Login”.",
  Verify: "“1-Click Verify”.",
  Apply: "“1-Click Apply”.",
  Access: "“1-Click Access”.",
  AutoFill: "“1-Click AutoFill”.",
};

/** The meanings of enum values. An enum of the API uses the first entry that has all its values. */
const lists: readonly Meanings[] = [
  { ...methods, clearinghouse: "The payer's clearinghouse knows the plan." },
  words,
  {
    Patient: "The member.",
    Organization: "The payer.",
    Coverage: "The plan.",
    CoverageEligibilityResponse: "The payer's answer, and the lookup's errors.",
  },
  {
    only_link: "The text has a link and no code.",
    only_code: "The text has a code and no link.",
    both_link_and_code: "The text has a link and a code.",
  },
  {
    low: "A score of 0 to 200.",
    "medium-low": "A score of 201 to 400.",
    medium: "A score of 401 to 600.",
    "medium-high": "A score of 601 to 800.",
    high: "A score of 801 to 1000.",
  },
  {
    allow: "The risk is low enough to go on.",
    flag: "Look closer before you go on.",
    block: "Do not go on. The service refuses these scores.",
  },
  {
    "fullName.firstName": "The person's first name.",
    birthDate: "The person's birth date, yyyy-MM-dd.",
    ssn4: "The last four digits of the person's SSN.",
  },
  {
    code: "The text has only the code.",
    link: "The text has only the link.",
    codeAndLink: "The text has the code, then the link.",
    linkAndCode: "The text has the link, then the code.",
  },
  {
    phoneVerification: "The link redirects once the phone is verified.",
    infoConfirmation: "The link redirects once the person has confirmed the data.",
  },
  {
    PENDING: "The lookup has not begun. Read it again later.",
    PROCESSING: "The lookup is running. Read it again later.",
    SUCCEEDED: "The lookup found what was asked for.",
    PARTIAL: "The lookup found only a part, and has ended.",
    FAILED: "The lookup found nothing, and has ended.",
  },
  { true: "Yes.", false: "No." },
  {
    SUPPORTED: "The service can check plans with this payer.",
    ENROLLMENT_REQUIRED: "The payer asks for an enrollment first.",
    NOT_SUPPORTED: "The service cannot check plans with this payer.",
  },
  { sms: "A text message.", email: "An email." },
  {
    textToSignup: "The person sends a text to begin.",
    autofill: "The carrier names the phone of the device, and the person enters nothing.",
    silent: "The carrier confirms the phone of the device.",
    sms: "A code in a text message.",
    email: "A code in an email.",
  },
  {
    stopped: "The phone gets no further texts.",
    started: "The phone gets texts again.",
    ignored: "The reply changed nothing.",
  },
  {
    pending: "An attempt to deliver it is due or will be.",
    delivered: "The receiver acknowledged it.",
    deadLettered: "All attempts failed.",
  },
  {
    "address not allowed": "The address is private or otherwise not allowed.",
    timeout: "The receiver did not answer in time.",
    "name not found": "The host's name has no address.",
    "connection refused": "The host refused the connection.",
    "certificate not valid": "The host's certificate is not valid.",
    "connection failed": "The connection failed for another reason.",
  },
  { Male: "Male.", Female: "Female.", "Non-Binary": "Neither male nor female." },
  {
    AD: "A code of the American Dental Association.",
    CJ: "A CPT code.",
    HC: "A HCPCS code.",
    ID: "An ICD-9-CM procedure code.",
    IV: "A HIEC code for home infusion.",
    N4: "A national drug code, 5-4-2.",
    ZZ: "A code that both sides agreed on.",
  },
  {
    "1-click.health.lookup": "A lookup of a person's insurance has ended.",
    "1-click.signup.shared": "A person shared their data.",
    "1-click.signup.declined": "A person declined.",
    "1-click.signup.ended": "A person stopped sharing, or deleted their data.",
  },
  { medical: "Medical coverage.", dental: "Dental coverage.", vision: "Coverage of eye care." },
  {
    IN_NETWORK: "The plan is in your network.",
    OUT_OF_NETWORK: "The plan is not in your network.",
    INDETERMINATE: "No rule decides it.",
  },
  {
    active: "The plan covers the person today.",
    inactive: "The plan does not cover the person today.",
    indeterminate: "The payer gave no clear answer.",
  },
  {
    deductible: "What the person pays before the plan pays.",
    outOfPocket: "The most that the person pays in a period.",
    copay: "A fixed amount per service.",
    coinsurance: "A share of the cost of each service.",
    limitation: "A limit of what the plan covers.",
  },
  {
    pending: "Nothing was sent yet.",
    sending: "The code is being sent.",
    delivered: "The code arrived at the phone.",
    verified: "The person proved the phone. This is final.",
    expired: "The time is over. This is final.",
    failed: "The attempts are used up, or nothing could be sent. This is final.",
  },
  {
    hosted: "The person uses the wallet's page; you text the link.",
    semiHosted: "The person enters the code at your brand, and you relay it.",
    nonHosted: "You verify the phone and ask for the data (v2.0).",
    sdk: "The wallet appears in a frame of your page.",
    api: "Your server asks for the data, and your page shows it (v2.1).",
    v1: "The legacy API.",
  },
  {
    preferSource: "You get the source's value.",
    preferId: "You get the state ID's value.",
    refuse: "The wallet refuses the state ID, and says why.",
  },
  {
    over: "The request has ended, or belongs to another browser.",
    unreadable: "The wallet app's answer is malformed.",
    declined: "The wallet app shared nothing.",
    notGenuine: "A signature, a digest or a certificate is wrong.",
    unknownAuthority: "The operator does not accept IDs of this authority.",
    expired: "The ID has expired.",
    notYetValid: "The ID is not valid yet.",
    revoked: "The authority has revoked the ID.",
    uncheckable: "The authority's status list cannot be read now.",
    otherPerson: "A source has another birth date or name for this phone.",
    contradicts: "The ID differs from a source, and the brand refuses that.",
  },
  { abbreviation: "Two letters.", full: "The full name." },
  { always: "The input is asked for in any case.", ifNecessary: "The input is asked for if the phone is not enough." },
  { useYourOwn: "The wallet offers to go on with your own form.", hide: "The wallet does not offer it." },
  { byService: "This service verifies the phone.", byCustomer: "Your brand verifies the phone." },
  { individual: "A person.", organization: "An organization." },
  {
    left: "Text starts at the left.",
    center: "Text is centered.",
    right: "Text ends at the right.",
    stretch: "The page is wide, and its text starts at the left.",
  },
  { full: "The last screen has an animation.", none: "The last screen has no animation." },
  {
    yes: "The 1-Click fails without the value.",
    no: "The person may leave the value out.",
    if_available: "A value that was found must be shared.",
  },
  { valid: "The credential may be delivered.", revoked: "The issuer has revoked it; it is not delivered." },
  Object.fromEntries(credentialTypes.map((type) => [type, `${spoken(type)}.`])),
];

/** `BirthDateCredential` → `A credential: birth date` */
function spoken(type: string): string {
  const name = type.replace(/Credential$/, "").replace(/([a-z])([A-Z0-9])/g, "$1 $2");
  return `A credential: ${name.toLowerCase()}`;
}

/** Adds `x-enumDescriptions` to every enum: the meaning of each value, as OpenAPI tools expect it. */
export function withMeanings<Value>(value: Value): Value;
export function withMeanings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withMeanings(item));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMeanings(member)]));
  if (!("enum" in value) || !Array.isArray(value.enum)) return members;
  const meanings = meaningsOf(value.enum);
  return meanings === null ? members : { ...members, "x-enumDescriptions": meanings };
}

/** Null if no entry matches, or if there is only one value, which its property already describes. */
function meaningsOf(values: readonly unknown[]): Meanings | null {
  const named = values.filter((value) => value !== null).map(String);
  if (named.length < 2) return null;
  const list = lists.find((meanings) => named.every((value) => Object.hasOwn(meanings, value)));
  return list === undefined ? null : Object.fromEntries(named.map((value) => [value, list[value] ?? ""]));
}
