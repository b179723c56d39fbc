import type { Mutant, Weakened } from "./mutant.ts";

const source = "packages/service/src";
const policy = "outbound: every special range";
const plain = "redirect: is refused as a target";
const refused = "redirect: is refused";
const thisMachine = "redirect: needs no setting in the sandbox";
const nearly = "redirect: never counts as a local URL";
const elsewhere = "redirect: on other hosts, http is refused";
const whole = "redirect: a full URL allows only its own path";
const wildcard = "control-brands: a site that may frame the SDK is one host";
const settings = "control-brands: redirect URLs must be plain";

const dropped = (range: string): Mutant => ({ from: `  "${range}",\n`, to: "", tests: [policy] });
const unneeded = (range: string): Mutant => ({
  ...dropped(range),
  survives: "it is outside of 2000::/3, and all such addresses are refused anyway",
});

/** Mutants of the rules for redirect and webhook URLs. */
export const addresses: Weakened[] = [
  {
    area: "redirects",
    file: `${source}/domain/brand/redirect.ts`,
    mutants: [
      { from: "suspicious.test(text) || ", to: "", tests: [refused] },
      {
        from: `if (url.username !== "" || url.password !== "") return null;`,
        to: "",
        tests: [plain],
        survives: "a URL with a user does not begin with its own origin, which is checked as well",
      },
      { from: "if (!hasPlainHost(url)) return null;", to: "", tests: [wildcard] },
      { from: "!options.loopback || ", to: "", tests: [thisMachine] },
      { from: `/(^|\\.)localhost\\.?$/.test(hostname) || `, to: "", tests: [nearly] },
      { from: `hostname.startsWith("0.") || `, to: "", tests: [nearly] },
      { from: ` || hostname.startsWith("[::")`, to: "", tests: [nearly] },
      { from: `url.protocol !== "https:" || `, to: `!/^https?:$/.test(url.protocol) || `, tests: [elsewhere] },
      { from: "url === null || isLoopbackHost(url.hostname)", to: "url === null", tests: [thisMachine] },
      { from: "local && text.startsWith(withPort)", to: "text.startsWith(withPort)", tests: [plain] },
      { from: `return rest === "" || /^[/?#]/.test(rest) ? url : null;`, to: "return url;", tests: [refused] },
      {
        from: `return rest === "" || /^[/?#]/.test(rest) ? url : null;`,
        to: `return rest === "-" ? null : url;`,
        tests: [plain],
      },
      {
        from: "if (entry === null || entry.origin !== url.origin) return false;",
        to: "if (entry === null) return false;",
        tests: [refused],
      },
      { from: "one !== settings.redirectUrl && ", to: "", tests: [whole] },
      { from: ` && entry.search === ""`, to: "", tests: [whole] },
      { from: ` && !one.endsWith("/")`, to: "", tests: [whole] },
      { from: `entry.pathname === "/" && `, to: "", tests: [refused] },
      {
        from: "isOrigin || entry.pathname === url.pathname",
        to: "isOrigin || url.pathname.startsWith(entry.pathname)",
        tests: [refused],
      },
      { from: "return allowed ? url : null;", to: "return url;", tests: [refused] },
      { from: "?.origin === text", to: " !== null", tests: ["session-frame: a sandbox session can be framed"] },
      { from: "plainTarget(url, options) === null ?", to: "!URL.canParse(url) ?", tests: [settings] },
      {
        from: `named.unshift(["settings.redirectUrl", settings.redirectUrl]);`,
        to: "named.length = 0;",
        tests: [settings],
      },
    ],
  },
  {
    area: "redirects",
    file: "packages/contract/src/loopback.ts",
    mutants: [
      { from: `hostname === "[::1]" || `, to: "", tests: [thisMachine] },
      { from: `hostname === "localhost" || `, to: "", tests: [thisMachine] },
      { from: ` || /^127(\\.\\d{1,3}){3}$/.test(hostname)`, to: "", tests: [thisMachine] },
    ],
  },
  {
    area: "redirects",
    file: `${source}/domain/signup/begin.ts`,
    mutants: [
      {
        from: "if (hasPage(journey)) requireAllowedTarget(deps.policy, caller.brand.settings, ask.page?.redirectUrl);\n",
        to: "",
        tests: ["journey-v1: a redirect that the settings"],
      },
    ],
  },
  {
    area: "redirects",
    file: `${source}/domain/signup/page/prove.ts`,
    mutants: [
      {
        from: `  if (allowedTarget(deps.policy, caller.brand.settings, redirectUrl) === null) return;\n`,
        to: "",
        tests: ["page: a redirectUrl must be allowed and"],
        survives: "the stored URL is checked again before a person is redirected to it",
      },
    ],
  },
  {
    area: "webhooks",
    file: `${source}/providers/address-policy.ts`,
    mutants: [
      ...[
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
      ].map(dropped),
      ...["::1/128", "64:ff9b:1::/48", "fc00::/7"].map(unneeded),
    ],
  },
];
