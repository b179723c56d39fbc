/** Texts of the page “Get started”. */
import type { IntegrationType } from "@countersign/contract/brand";
import type { LogLine } from "@countersign/contract/dashboard-reporting";

export const startWords = {
  title: "Get started",
  lead: "Your key, a first call, and a guide with your own values.",
  key: {
    title: "1. Your key",
    demo: "This is a demo brand: its key is public and works only on this machine.",
    kept: "The commands below contain it until you leave this page. Store it where your server reads it; it cannot be shown again.",
    lead: "Keys are shown once. Paste yours or create one. It fills in the commands below and is not sent anywhere.",
    label: "API key",
    wrong: (environment: string) => `That is not a key of the ${environment}: such keys begin with sk_${environment}_.`,
    create: "Create a key",
    name: "Created on the start page",
    copy: "Key",
    notYours: "A developer or an owner can create one.",
  },
  call: {
    title: "2. Your first call",
    paste: "Paste this into a terminal",
    answer: {
      api: "The response is an identity: the names, address, birth date and SSN of a test person, and the source of each value.",
      nonHosted:
        "The response is an identity: the names, address, birth date and SSN of a test person, and the source of each value.",
      sdk: "The response is a session key. Your page passes it to the SDK, once.",
      hosted:
        "The response contains a url: open it to act as the person. It also contains the code, because you text it.",
      semiHosted:
        "The response contains a uuid, and the code that you text. With both, GET /v2/1-click/{uuid}?code=… reads the identity.",
      v1: "The response contains a url: open it to act as the person.",
    } satisfies Record<IntegrationType, string>,
    production: "Use the phone of someone who is present and has agreed: in production, people are real.",
    demo: "Open the wallet's demo page",
  },
  arrival: {
    waiting: "Waiting for your first call…",
    stopped: "No call has arrived yet. Reload this page to keep waiting.",
    arrived: ({ method, route, status, errorCode, latencyMs }: LogLine) =>
      `Your call arrived: ${[`${method} ${route}`, status, ...(errorCode === null ? [] : [errorCode]), `${latencyMs} ms`].join(", ")}.`,
    log: "See it in the request log",
  },
  prove: {
    title: "3. Verify a phone",
    lead: "We text a code; in the sandbox the test person's code is always the same. The last call uses the verification to get an identity.",
    paste: "Four calls, one paste",
    answer: 'You see "verified": true, then the identity.',
  },
  guides: {
    title: "Three ways to integrate",
    lead: "A brand has one integration type. To integrate in another way, create another brand.",
    yours: "your brand's type",
    sdk: {
      name: "SDK",
      says: "Our screens in a frame on your page. One call, one script, one read.",
      server: "On your server",
      page: "On your page",
    },
    api: {
      name: "API",
      says: "Your own screens. You verify the phone with us, then request the identity.",
      server: "On your server",
    },
    hosted: {
      name: "Hosted",
      says: "Our page, opened through a link. The person returns to you.",
      server: "On your server",
      redirect: (url: string | null) =>
        url === null
          ? "No redirect URL is set yet. Set it under Settings, Redirects and origins."
          : `People return to ${url}.`,
    },
    more: "Errors, limits and everything else",
    reference: "API reference",
    example: "There is a complete brand in plain Node in examples/brand.",
  },
  people: {
    title: "Test people",
    lead: "They exist only in the sandbox, and nothing is ever sent to them. Each is Richard Hendricks unless the table says otherwise. Any other US number works too: its code is in the outbox.",
    families: {
      inputs: "Required inputs in addition to the phone",
      risk: "Risk",
      credentials: "Differences in the data",
      failures: "Unknown people and failures",
      "v2.0": "Numbers of v2.0",
    },
    columns: { phone: "Phone", code: "Code", needs: "Needs", score: "Risk score", outcome: "Outcome" },
  },
};
