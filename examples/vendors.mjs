/**
 * Vendors for a rehearsal of production, in plain Node: an SMS gateway, an identity source and a mail server.
 * It sends nothing. It prints each text and email, and finds the same invented person for every phone.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createMailServer } from "node:net";

const say = (words) => process.stdout.write(`${words}\n`);
const secretOf = (name) => {
  const file = process.env[`${name}_FILE`];
  const secret = process.env[name] ?? (file && readFileSync(file, "utf8").trim());
  if (!secret || secret.length < 32) throw new Error(`Set ${name} or ${name}_FILE to the service's secret.`);
  return secret;
};
const secrets = { "/texts": secretOf("SMS_GATEWAY_SECRET"), "/identity": secretOf("IDENTITY_SOURCE_SECRET") };
const sign = (secret, timestamp, body) =>
  `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;

/** Whether the service signed this request within the last five minutes. */
function signed(request, secret, body) {
  const timestamp = String(request.headers["countersign-timestamp"]);
  const given = Buffer.from(String(request.headers["countersign-signature"]));
  const expected = Buffer.from(sign(secret, timestamp, body));
  const recent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return recent && given.length === expected.length && timingSafeEqual(given, expected);
}

const texts = new Map();
function text({ id, to, body }) {
  if (!texts.has(id)) say(`Text to ${to}: ${body}`);
  texts.set(id, { id, status: "delivered" });
  return texts.get(id);
}

const person = { "fullName.firstName": "Avery", birthDate: "1990-01-01", ssn4: "0000" };
/** The person has every phone but those that end in 9. An input that differs from the person is a mismatch. */
function identity({ phone, inputs, compare }) {
  if (phone.endsWith("9")) return { phone, kind: "unknown" };
  const given = { ...inputs, "fullName.firstName": inputs.fullName?.firstName };
  const compared = compare.filter((input) => given[input] !== undefined);
  const differs = compared.filter((input) => String(given[input]).toLowerCase() !== person[input].toLowerCase());
  if (differs.length > 0) return { phone, kind: "mismatch", inputs: differs };
  const issued = { verificationMethod: "data_bureau", issuanceDate: Date.UTC(2026, 0, 1) };
  const part = (type, value) => ({ type, value });
  const credentials = [
    {
      type: "FullNameCredential",
      ...issued,
      children: [part("FirstNameCredential", "Avery"), part("LastNameCredential", "Example")],
    },
    {
      type: "AddressCredential",
      ...issued,
      children: [
        part("Line1Credential", "1 Main St"),
        part("CityCredential", "Springfield"),
        part("StateCredential", "IL"),
        part("ZipCodeCredential", "62701"),
        part("CountryCredential", "US"),
      ],
    },
    { type: "BirthDateCredential", ...issued, value: person.birthDate },
    { type: "SsnCredential", ...issued, value: "900000000" },
  ];
  return { phone, kind: "found", compared, credentials };
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const secret = secrets[request.url];
  if (!secret) return response.writeHead(404).end();
  if (!signed(request, secret, body)) return response.writeHead(401).end();
  const answer = request.url === "/texts" ? text(JSON.parse(body)) : identity(JSON.parse(body));
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
});
server.listen(Number(process.env.PORT ?? 4700), "127.0.0.1", () =>
  say(`Texts and identities on http://127.0.0.1:${server.address().port}`),
);

/** The mail server accepts every email, and prints it. */
const mail = createMailServer((socket) => {
  let message;
  let rest = "";
  const answer = (line) => socket.write(`${line}\r\n`);
  const read = (line) => {
    if (message !== undefined) {
      if (line !== ".") {
        message += `${line}\n`;
        return;
      }
      say(`Email:\n${message}`);
      message = undefined;
      return answer("250 accepted");
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "DATA") message = "";
    answer(verb === "DATA" ? "354 end with a dot" : verb === "QUIT" ? "221 bye" : "250 ok");
  };
  answer("220 rehearsal");
  socket.on("error", () => {});
  socket.on("data", (data) => {
    const lines = (rest + data).split("\r\n");
    rest = lines.pop();
    for (const line of lines) read(line);
  });
});
mail.listen(Number(process.env.MAIL_PORT ?? 4701), "127.0.0.1", () =>
  say(`Email on smtp://127.0.0.1:${mail.address().port}`),
);
