/** Texts of the start page. */
import type { IntegrationType } from "@countersign/contract/brand";
import type { LogLine } from "@countersign/contract/dashboard-reporting";

export const startWords = {
  title: "Start",
  lead: "Your key, a first call, and a guide with your own values in it.",
  key: {
    title: "1. Your key",
    demo: "This is a demo brand: its key is known to everybody and works on this machine alone.",
    kept: "It stands in the commands below until you leave this page. Keep it where your server reads it; nobody can look it up again.",
    lead: "Keys are shown once. Paste yours, or make one: it fills in the commands below and is not sent anywhere.",
    label: "API key",
    wrong: (environment: string) => `That is no key of the ${environment}: it begins with sk_${environment}_.`,
    create: "Create a key",
    name: "Made on the start page",
    copy: "Key",
    notYours: "A developer or an owner can create one.",
  },
  call: {
    title: "2. Your first call",
    paste: "Paste this into a terminal",
    answer: {
      api: "The answer is an identity: names, address, birth date and SSN of a test person, with where each value comes from.",
      nonHosted:
        "The answer is an identity: names, address, birth date and SSN of a test person, with where each value comes from.",
      sdk: "The answer is a session key. Your page gives it to the SDK, once.",
      hosted:
        "The answer has a url: open it and you are the person with the phone. The code is in the answer, too, because you text it.",
      semiHosted:
        "The answer has a uuid, and the code that you text. With both, GET /v2/1-click/{uuid}?code=… reads the identity.",
      v1: "The answer has a url: open it and you are the person with the phone.",
    } satisfies Record<IntegrationType, string>,
    production: "Put in the phone of somebody who is there and agreed: in production people are real.",
    demo: "Open the wallet's demo page",
  },
  arrival: {
    waiting: "Waiting for your first call…",
    stopped: "No call has arrived yet. Load this page again to go on waiting.",
    arrived: ({ method, route, status, errorCode, latencyMs }: LogLine) =>
      `Your call arrived: ${[`${method} ${route}`, status, ...(errorCode === null ? [] : [errorCode]), `${latencyMs} ms`].join(", ")}.`,
    log: "See it in the request log",
  },
  prove: {
    title: "3. Prove a phone",
    lead: "A text with a code goes out; in the sandbox the test person's code is always the same. The last call takes the proof for an identity.",
    paste: "Four calls, one paste",
    answer: 'You see "verified": true, then who it is.',
  },
  guides: {
    title: "Three ways to integrate",
    lead: "A brand has one way, its integration type; for another way make another brand.",
    yours: "your brand's way",
    sdk: {
      name: "SDK",
      says: "Our screens in a frame on your page. One call, one script, one read.",
      server: "On your server",
      page: "On your page",
    },
    api: {
      name: "API",
      says: "Your own screens. You prove the phone with us, and ask for the identity with the proof.",
      server: "On your server",
    },
    hosted: {
      name: "Hosted",
      says: "Our page, reached by a link; the person comes back to you.",
      server: "On your server",
      redirect: (url: string | null) =>
        url === null ? "No redirect URL is set yet: set it under Settings, Addresses." : `People come back to ${url}.`,
    },
    more: "Errors, limits and everything else",
    reference: "API reference",
    example: "A whole brand in plain Node stands in examples/brand.",
  },
  people: {
    title: "Test people",
    lead: "They live in the sandbox only, nothing is ever sent to them, and all of them are Richard Hendricks unless it says otherwise. Any other US number works, too: its code is in the outbox.",
    families: {
      inputs: "What must be known besides the phone",
      risk: "Risk",
      credentials: "What differs in the data",
      failures: "Nobody there",
      "v2.0": "Numbers of v2.0",
    },
    columns: { phone: "Phone", code: "Code", needs: "Needs", score: "Risk score", outcome: "Outcome" },
  },
};
