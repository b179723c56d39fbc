/**
 * The code blocks that no test runs, with the reason. `page` may end with `/` for a whole folder; `starts` is how the
 * block begins.
 */
export const unrunBlocks: readonly { page: string; language: string; starts: string; reason: string }[] = [
  { page: "docs/", language: "mermaid", starts: "", reason: "a diagram, which the build of the site draws" },
  {
    page: "docs/start/index.md",
    language: "sh",
    starts: "npm start",
    reason:
      "it runs until it is stopped; these tests start the same program, and `npm test` installs with the same script",
  },
  {
    page: "docs/guides/signup-sdk.md",
    language: "sh",
    starts: "npm pack",
    reason: "it writes a file next to the repository; `package.test.ts` of the SDK packs the same package",
  },
  {
    page: "docs/guides/signup-sdk.md",
    language: "sh",
    starts: "npm init",
    reason: "it installs the file of the block above; `consumers.test.ts` of the SDK installs the same package",
  },
  {
    page: "docs/guides/webhooks.md",
    language: "sh",
    starts: "countersign listen",
    reason: "it runs until it is stopped; `listen-command.test.ts` runs it",
  },
  {
    page: "docs/guides/webhooks.md",
    language: "sh",
    starts: "countersign trigger",
    reason: "it needs the listener of the block before it; `listen-command.test.ts` runs both",
  },
  {
    page: "docs/guides/webhooks.md",
    language: "sh",
    starts: "COUNTERSIGN_WEBHOOK_SECRET",
    reason: "it runs until it is stopped; `receivers.test.ts` runs the same receiver",
  },
  {
    page: "docs/guides/production.md",
    language: "sh",
    starts: "countersign approvals",
    reason: "it needs a request that waits; `names-approval.test.ts` runs the three commands",
  },
  {
    page: "docs/guides/production.md",
    language: "console",
    starts: "cd /etc/countersign",
    reason: "root runs it on the server; `rotation.test.ts` runs the same command",
  },
  {
    page: "docs/guides/credentials.md",
    language: "json",
    starts: "{",
    reason: "a part of a verifier's request; `takeout-presentation.test.ts` reads such a request with a library",
  },
  {
    page: "docs/guides/openid.md",
    language: "sh",
    starts: "npm start",
    reason: "it runs until it is stopped; `browser-openid.test.ts` runs the three examples in a browser",
  },
  {
    page: "docs/guides/openid.md",
    language: "json",
    starts: "{",
    reason: "a part of what a library sends or reads; `openid-claims.test.ts` compares whole ones",
  },
  {
    page: "docs/guides/vendors.md",
    language: "console",
    starts: "umask 077",
    reason: "it runs until it is stopped; `vendors-sample.test.ts` runs the same program",
  },
  {
    page: "docs/guides/vendors.md",
    language: "ini",
    starts: "SMS_GATEWAY_URL",
    reason: "settings; `vendors-sample.test.ts` compares them with the program",
  },
  {
    page: "docs/guides/vendors.md",
    language: "sh",
    starts: "countersign conformance",
    reason: "it needs the operator's own source; `conformance-command.test.ts` runs it against samples",
  },
];
