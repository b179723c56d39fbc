import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigProblems, readConfig } from "../../config/config.ts";

function problemsOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    assert.ok(error instanceof ConfigProblems, String(error));
    return error.problems;
  }
  return [];
}

test("the console listens on a loopback or private address only, and is off unless DEMO or its port turns it on", () => {
  assert.deepEqual(readConfig({}).console, { host: "127.0.0.1", port: 4003, publicUrl: null });
  assert.equal(readConfig({ DEMO: "off" }).console, null);
  assert.equal(readConfig({ DEMO: "off", OPERATOR_PORT: "9000" }).console?.port, 9000);
  const at = { DEMO: "off", OPERATOR_PORT: "4003", PUBLIC_OPERATOR_URL: "https://console.example.com" };
  for (const OPERATOR_HOST of ["10.1.2.3", "192.168.0.9", "172.31.0.1", "100.100.0.1", "fd12::1", "::1", "localhost"])
    assert.deepEqual(problemsOf({ ...at, OPERATOR_HOST }), [], OPERATOR_HOST);
  for (const OPERATOR_HOST of ["0.0.0.0", "::", "203.0.113.7", "172.32.0.1", "2001:db8::1", "console.example.com"])
    assert.equal(problemsOf({ ...at, OPERATOR_HOST }).length, 1, OPERATOR_HOST);
  for (const PUBLIC_OPERATOR_URL of ["", "http://console.example.com"])
    assert.match(problemsOf({ ...at, OPERATOR_HOST: "10.1.2.3", PUBLIC_OPERATOR_URL }).join(), /must be an https URL/);
  const plain = { ...at, PUBLIC_OPERATOR_URL: "http://console.example.com" };
  assert.match(problemsOf(plain).join(), /must be an https URL, or an address of this machine/);
  for (const PUBLIC_OPERATOR_URL of [
    "HTTP://console.example.com",
    "http:console.example.com",
    "ht\ttp://console.example.com",
  ])
    assert.match(problemsOf({ ...at, PUBLIC_OPERATOR_URL }).join(), /must be an https URL, or/, PUBLIC_OPERATOR_URL);
  for (const PUBLIC_OPERATOR_URL of ["http://localhost:4003", "http://127.0.0.1:4003", "http://[::1]:4003"])
    assert.deepEqual(problemsOf({ ...at, PUBLIC_OPERATOR_URL }), [], PUBLIC_OPERATOR_URL);
  assert.match(problemsOf({ DEMO: "on", PUBLIC_OPERATOR_URL: "https://a.example" }).join(), /not a loopback address/);
});

test("another service's address in OPERATOR_PORT does not turn the console on", () => {
  assert.equal(readConfig({ DEMO: "off", OPERATOR_PORT: "tcp://10.96.0.15:80" }).console, null);
});

test("the console's variables are read", () => {
  const at = { OPERATOR_PORT: "4010", OPERATOR_HOST: "10.0.0.5", PUBLIC_OPERATOR_URL: "https://console.example.com/" };
  const expected = { host: "10.0.0.5", port: 4010, publicUrl: "https://console.example.com" };
  assert.deepEqual(readConfig({ ...at, DEMO: "off" }).console, expected);
});

test("several listeners can use port 0, but not the same fixed port", () => {
  assert.deepEqual(problemsOf({ API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0" }), []);
  assert.equal(problemsOf({ WALLET_PORT: "9000", DASHBOARD_PORT: "9000" }).length, 1);
});

test("a URL is the same in any spelling", () => {
  const { publicApiUrl } = readConfig({ PUBLIC_API_URL: "HTTPS://API.Example.com:443/", DEMO: "off" });
  assert.equal(publicApiUrl, "https://api.example.com");
});
