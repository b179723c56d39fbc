/** Texts of the page “Get started”. */
import type { IntegrationType } from "@countersign/contract/brand";
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import type { StepId } from "./steps.ts";

function callOf({ method, route, status, errorCode, latencyMs }: LogLine): string {
  return [`${method} ${route}`, status, ...(errorCode === null ? [] : [errorCode]), `${latencyMs} ms`].join(", ");
}

/** The results of steps. Other steps show the call as their result. */
const done: Readonly<Partial<Record<StepId, string>>> = {
  approval: "The operator approved this brand for production.",
  share: "A person shared their data in the sandbox.",
  code: "This brand has requested production.",
  live: "The operator approved this brand for production.",
};

export const startWords = {
  title: "Get started",
  lead: "Follow the steps. Each one is checked off automatically when it is done.",
  states: { done: "Done", next: "Next", later: "Later", optional: "Optional" },
  titles: {
    approval: "Get approved for production",
    key: "Get your API key",
    call: "Make your first call",
    prove: "Verify a phone",
    share: "Share a test person’s data",
    code: "Add it to your code",
    live: "Go live",
  } satisfies Record<StepId, string>,
  done,
  key: {
    known: (key: string, isDemo: boolean) => `The commands below have ${isDemo ? "the demo" : "your"} key, ${key}.`,
    unknown: "This brand has a key. Open this step to put it into the commands below.",
    demo: "This is a demo brand: its key is public and works only on this machine.",
    kept: "The commands below contain it until you leave this page. Store it on your server now, because it is not shown again.",
    lead: "A key is shown only once. Paste yours, or create one. It fills in the commands below and is not sent anywhere.",
    label: "API key",
    wrong: (environment: string) => `That is not a key of the ${environment}: such keys begin with sk_${environment}_.`,
    first: "Add your key first",
    create: "Create a key",
    name: "Created on the start page",
    copy: "Key",
    notYours: "A developer or an owner can create one.",
  },
  call: {
    paste: "Paste this call in a terminal",
    putKey: (place: string) => `Replace ${place} with your key.`,
    toKeys: "Open API keys",
    answer: {
      api: "The response is an identity: names, address, birth date and SSN, and the source of each value.",
      nonHosted: "The response is an identity: names, address, birth date and SSN, and the source of each value.",
      sdk: "The response is a session key. Your page passes it to the SDK, once.",
      hosted:
        "The response contains a url: open it to act as the person. It also contains the code, because you text it.",
      semiHosted: "The response contains a uuid, and the code that you text.",
      v1: "The response contains a url: open it to act as the person.",
    } satisfies Record<IntegrationType, string>,
    production: "Production is about real people. Use the phone of someone who is present and has agreed.",
    phone: "Their phone number",
    phoneHint: "It fills in the commands below and is not sent anywhere.",
    phoneWrong: "Enter a US phone number with ten digits.",
    demo: "Watch a signup in the frame, with each call",
  },
  share: {
    ownPageTitle: "Try it on your own page",
    ownPage: "Paste this in a terminal",
    ownPageThen: "Then open",
    ownPageUrl: "http://localhost:4100",
    ownPageEnter: ", enter",
    ownPageCode: "and the code",
    ownPageShare: "Then choose Share.",
    code: "Code",
    hosted:
      "Open the url from the response of your first call. Enter the code from the same response, and choose Share.",
    v1: (code: string) =>
      `Open the url from the response of your first call. Enter the code ${code}, and choose Share.`,
  },
  live: {
    lead: "Production has its own settings and keys. The operator of this service reviews your request.",
    request: "Request approval",
  },
  arrival: {
    waiting: "Waiting for your first call…",
    waitingFor: { prove: "Waiting for these calls…", share: "Waiting for a person to share…" },
    stopped: "No call has arrived yet. Reload this page to keep waiting.",
    arrived: (line: LogLine) => `Your call arrived: ${callOf(line)}.`,
    refused: (line: LogLine) => `Your call was refused: ${callOf(line)}. Waiting for the next one…`,
    log: "See it in the request log",
  },
  prove: {
    titles: {
      api: "Verify a phone",
      sdk: "Skip the code (verified phone)",
      semiHosted: "Read the identity with the code",
    },
    leads: {
      api: "We text a code, you submit it, and the verification gets the identity.",
      sdk: "A session with a verification does not ask for the phone or the code again.",
      semiHosted: "The person types the code on your page. Reading the identity needs it.",
    },
    sandbox: (code: string) => `The sandbox sends no text: this test person’s code is always ${code}.`,
    paste: "One paste",
    pasteFirst: "First, text the code",
    pasteThen: "Then, submit it",
    answers: {
      api: 'You see "verified": true, then the identity.',
      sdk: 'You see "verified": true, then a session key.',
      semiHosted: "You see the identity.",
    },
  },
  guide: {
    leads: {
      sdk: "Our screens in a frame on your page. One call, one script, one read.",
      api: "Your own screens. You verify the phone with us, then request the identity.",
      hosted: "Our page, opened through a link. The person returns to you.",
      semiHosted: "Your own screens. You text our code, and read the identity with it.",
      nonHosted: "Your own screens, after your own verification of the phone.",
      v1: "Our page, opened through a link. We text the code; the person returns to you.",
    } satisfies Record<IntegrationType, string>,
    key: "In your server’s environment",
    server: "On your server",
    page: "On your page",
    redirect: (url: string | null) =>
      url === null
        ? "No redirect URL is set yet. Set it under Settings, Redirects and origins."
        : `People return to ${url}.`,
    reference: "API reference",
    errors: "Error codes",
    sdk: "All options of the package",
    notOnNpm: "The package is not on npm. Do not install it by name.",
    getPackage: "Get it",
    other: "A brand has one integration type. To integrate in another way, create another brand.",
  },
  people: {
    title: "Test people",
    lead: "They exist only in the sandbox, and nothing is ever sent to them. Each is Richard Hendricks unless the table says otherwise. Any other US number works too: its code is in the outbox.",
    families: {
      inputs: "Required inputs in addition to the phone",
      risk: "Risk",
      credentials: "Differences in the data",
      failures: "Unknown people and failures",
      "v2.0": "v2.0 test numbers",
    },
    columns: { phone: "Phone", needs: "Needs", score: "Risk score", outcome: "Outcome" },
  },
};
