/** Which texts the console refuses because they name a person, and which numbers stay allowed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { namesPerson } from "../console/personal.ts";

const digitsIn = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const zeros = { Arabic: 0x660, Persian: 0x6f0, Devanagari: 0x966, "full width": 0xff10, mathematical: 0x1d7d8 };

test("an SSN is found in a row, in its groups, and with any separator", () => {
  const gaps = ["", " ", "-", " - ", "_", ",", ", ", ":", ".", "/", "\u2013", "\u2011", "\u00a0", "\u200b", "\u2028"];
  for (const gap of gaps) assert.ok(namesPerson(`SSN ${["078", "05", "1120"].join(gap)}`), JSON.stringify(gap));
  for (const text of [
    "SSN078051120",
    "0 7 8 0 5 1 1 2 0",
    "078 051 120",
    "it is (078) 05 1120.",
    "Case 4711: 078-05-1120",
  ])
    assert.ok(namesPerson(text), text);
});

test("a US phone number is found in a row, in its groups, and with what people dial before it", () => {
  for (const text of [
    "02125550110",
    "0 212 555 0110",
    "0012125550110",
    "+1 (212) 555-0110",
    "1.212.555.0110",
    "2125550110x",
  ])
    assert.ok(namesPerson(`call ${text}`), text);
  assert.ok(namesPerson("21 25 55 01 10"));
});

test("a number is found in groups that nobody else uses, also beside other numbers", () => {
  for (const text of [
    ...[
      "2125 550110",
      "2125-550110",
      "21255 50110",
      "12125 550110",
      "212 5550 110",
      "0 2125 550110",
      "21255\u201350110",
    ],
    ...["(2125) 550110", "2125.550110", "212 5 5501 10"],
    ...["1234 56789", "123456 789", "12 3456 789", "12-3456-789"],
    ...["Case 4711 2125 550110", "2125 550110 of 2026-12-01", "2026-12-01 18:30 1234 56789", "10.0.0.1 1234 56789"],
  ])
    assert.ok(namesPerson(text), text);
});

test("dates, times and numbers of tickets beside other numbers are allowed", () => {
  for (const text of [
    ...["2026-12-01 18", "2026-12-01 4711", "2026/12/01 18:30 4711", "1.12.2026 18:30 4711", "31.12.26 1830"],
    ...["12/01/2026 - 12/05/2026", "12-01-2026 5", "20261130-12", "20261130 4711", "from 18:30:15 12345 calls"],
    ...["CS-2026-00123", "2026-004712", "#1650253 #1650254", "4711/12345", "Case 4711 of 12345", "Cases 47112, 47212"],
    ...["10.0.0.1 65535", "10.0.0.1:65535 4711", "2001:db8:0:1::12 8080", "1234 5678", "1,250,000.00"],
  ])
    assert.ok(!namesPerson(text), text);
});

test("digits of other scripts count as digits", () => {
  for (const [script, zero] of Object.entries(zeros))
    for (const number of ["078-05-1120", "078051120", "2125550110"])
      assert.ok(namesPerson(digitsIn(number, zero)), `${script} ${number}`);
});

test("an IP address hides no number beside it, and a number of four groups is none", () => {
  for (const text of ["10.0.0.1 078-05-1120", "078.05.11.20", "212.555.01.10", "1.2.3.4.078051120", "12.3.4.5.6.7.8.9"])
    assert.ok(namesPerson(text), text);
});

test("an email with an IP address for its host is one", () => {
  for (const text of ["a@[IPv6:2001:db8::1]", "jane.doe@10.1.2.3", "jane@[192.0.2.1]", "jane.doe＠１０.1.2.3"])
    assert.ok(namesPerson(text), text);
});

test("case numbers, dates, amounts, UUIDs and IP addresses are allowed", () => {
  const allowed = [
    ...["Case 4711", "INC-20260112", "Ticket 20261130-000412", "#1650253", "Case 4711, 12345"],
    ...[
      "2026-12-01 18:30",
      "12/31/26 18:30:15",
      "31.12.26 18:30",
      "Case 1, 2026-01-12",
      "1,250,000 texts",
      "port 65535",
    ],
    ...["calls from 192.168.1.25", "203.0.113.10, 198.51.100.255", "203.0.113.128/25."],
    ...["000-12-3456", "666-12-3456", "078-00-1120", "078-05-0000", "Case 1234567890"],
    ...["12345678-1234-4123-8123-123456789012", "078051120-0780-4780-8780-078051120780".slice(1)],
  ];
  for (const text of allowed) assert.ok(!namesPerson(text), text);
});
