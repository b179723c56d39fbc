import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { after } from "node:test";
import { isPublicAddress } from "../../providers/address-policy.ts";
import { outbound, ownOutbound, type Resolve } from "../../providers/outbound.ts";
import { insideHosts } from "../harness/fuzz/internal-hosts.ts";

/** An internal server that must never be reached. */
let hits = 0;
const inner = createServer((_request, response) => {
  hits += 1;
  response.end("secret");
});
await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
const { port } = inner.address() as AddressInfo;
after(() => inner.close());

/** A DNS resolver whose answers each test sets. Names without an answer resolve to an internal address. */
const answers = new Map<string, string[]>();
const resolve: Resolve = async (hostname) =>
  (answers.get(hostname) ?? ["127.0.0.1"]).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const strict = outbound({ loopback: false, resolve });
const demo = outbound({ loopback: true, resolve });
after(() => Promise.all([strict.close(), demo.close()]));
const post = (url: string, sender = strict) =>
  sender.post({ url, headers: { "content-type": "application/json" }, body: "{}", timeoutMs: 20_000 });

const urls = [
  ...insideHosts.map((host) => `https://${host}:${port}/`),
  `http://127.0.0.1:${port}/`,
  `https://user:pass@127.0.0.1:${port}/`,
  `https://example.com@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@example.com/`,
  `https://example.com#@127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}/`,
  `https:/127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${port}/_x`,
  `https://127.0.0.1:${port}/\r\nX: y`,
  ` https://127.0.0.1:${port}/`,
  `https://[::1%25lo]:${port}/`,
  `https://[fe80::1%25eth0]:${port}/`,
  `javascript:alert(1)`,
  `data:text/plain,x`,
  "http://example.com/",
  "https://user:pass@example.com/",
  "https://user@example.com/",
  "https://example.com\\@example.org/",
  " https://example.com/",
  "https://example.com/\r\nX: y",
  "https://wiki.intranet/",
  "https://files.lan/",
  "https://files.home/",
  "https://wiki.corp/",
];

test("the table has at least 120 hostile URLs", () => assert.ok(urls.length >= 120, String(urls.length)));

for (const url of urls) {
  const spelled = JSON.stringify(url.replace(String(port), "PORT"));
  test(`${spelled} is rejected when it is defined, and nothing is contacted when it is used`, async () => {
    assert.notEqual(strict.judge(url), null);
    assert.equal((await post(url)).kind, "failed");
    assert.equal(hits, 0);
  });
}

test("a hostname that resolves to an internal address is rejected when connecting", async () => {
  for (const address of [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "::ffff:127.0.0.1",
    "fd00::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
  ]) {
    answers.set("evil.example.com", [address]);
    assert.equal(strict.judge(`https://evil.example.com:${port}/`), null);
    assert.deepEqual(
      { ...(await post(`https://evil.example.com:${port}/`)), durationMs: 0 },
      { kind: "failed", error: "address not allowed", durationMs: 0 },
    );
  }
  assert.equal(hits, 0);
});

test("a hostname is rejected if any of its addresses is private", async () => {
  answers.set("mixed.example.com", ["93.184.215.14", "127.0.0.1"]);
  const answer = await post(`https://mixed.example.com:${port}/`);
  assert.deepEqual({ ...answer, durationMs: 0 }, { kind: "failed", error: "address not allowed", durationMs: 0 });
  assert.equal(hits, 0);
});

test("a hostname is resolved for every connection, so one that now points to an internal address is not reached", async () => {
  const places = ["127.0.0.1", "10.0.0.1"];
  const turning: Resolve = async () => [{ address: places.shift() ?? "10.0.0.1", family: 4 }];
  const sender = outbound({ loopback: true, resolve: turning });
  const request = { url: `https://rebinding.example.com:${port}/`, headers: {}, body: "{}", timeoutMs: 20_000 };
  // The first address exists but does not use TLS. The second must not be contacted at all.
  const errors = [await sender.post(request), await sender.post(request)].map(
    (one) => one.kind === "failed" && one.error,
  );
  await sender.close();
  assert.equal(typeof errors[0], "string");
  assert.notEqual(errors[0], "address not allowed");
  assert.deepEqual([errors[1], hits], ["address not allowed", 0]);
});

test("every special range is blocked up to its last address, and so is unassigned address space", () => {
  // biome-ignore format: a table
  const closed = [
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0", "127.255.255.255",
    "168.63.129.16", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.0", "192.0.2.255",
    "192.31.196.0", "192.31.196.255", "192.52.193.0", "192.52.193.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255",
    "192.175.48.0", "192.175.48.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255",
    "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
    "2001::", "2001:1ff:ffff::1", "2001:db8::", "2001:db8:ffff::1", "2002::", "2002:ffff::1", "2620:4f:8000::", "2620:4f:8000:ffff::1",
    "3fff::", "3fff:fff::1", "1fff::1", "4000::1", "8000::1", "2606:4700:4700::1111%eth0", "8.8.8.8%eth0",
  ];
  for (const address of closed) assert.equal(isPublicAddress(address), false, address);
});

test("public addresses and URLs are allowed", () => {
  const open = [
    "93.184.215.14",
    "1.1.1.1",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "192.0.1.1",
    "198.20.0.1",
    "223.255.255.255",
  ];
  const open6 = [
    "2606:4700:4700::1111",
    "2a00:1450:4001::1",
    "2600::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2001:4860:4860::8888",
    "2400:cb00::1",
  ];
  for (const address of [...open, ...open6]) assert.ok(isPublicAddress(address), address);
  for (const url of [
    "https://example.com/hook",
    "https://hooks.example.co.uk:8443/a?b=c",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/",
    "https://xn--bcher-kva.example/",
  ])
    assert.equal(strict.judge(url), null, url);
});

test("in demo mode, receivers on localhost are allowed, but no other private addresses", async () => {
  assert.deepEqual(
    { ...(await post(`http://localhost:${port}/`, demo)), durationMs: 0 },
    { kind: "answered", status: 200, text: "", durationMs: 0 },
  );
  assert.equal((await post(`http://127.0.0.1:${port}/`, demo)).kind, "answered");
  assert.equal(hits, 2);
  for (const url of ["http://10.0.0.1/", "https://169.254.169.254/", "http://example.com/", "https://[fd00::1]/"])
    assert.notEqual(demo.judge(url), null, url);
});

const own = ownOutbound({ textMax: 100 });
after(() => own.close());

test("a developer's own command may send to every host that the machine reaches", async () => {
  for (const host of ["web:3000", "host.docker.internal", "192.168.1.20", "shop.test", "shop.localhost", "[fd00::1]"])
    assert.equal(own.judge(`http://${host}/hook`), null, host);
  for (const url of ["localhost:9000", "ftp://localhost/", "http://a:b@localhost/", "http://localhost/#x", "hook"])
    assert.notEqual(own.judge(url), null, url);
  hits = 0;
  for (const host of ["127.0.0.1", "localhost", "shop.localhost", "a.b.LOCALHOST"])
    assert.equal((await post(`http://${host}:${port}/`, own)).kind, "answered", host);
  assert.equal(hits, 4);
});

test("a port that belongs to services without HTTP is rejected when it is defined and when it is used", async () => {
  for (const other of [0, 22, 25, 53, 110, 143, 465, 587, 636, 993, 2049, 5060, 6000, 6667, 10_080]) {
    assert.match(String(strict.judge(`https://example.com:${other}/`)), new RegExp(`^must not use port ${other}, `));
    assert.match(String(demo.judge(`http://localhost:${other}/`)), new RegExp(`^must not use port ${other}, `));
    const answer = await post(`https://example.com:${other}/`);
    assert.ok(answer.kind === "failed" && answer.error === "address not allowed", String(other));
  }
  for (const usual of [80, 443, 4_443, 5_432, 8_080, 8_443, 65_535])
    assert.equal(strict.judge(`https://example.com:${usual}/`), null, String(usual));
});
