/** Reads the variables of the vendors. If one variable of a vendor is set, all its required variables must be set. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isLoopbackHost } from "@countersign/contract/loopback";
import type { CamaraSettings, ClientProof } from "../providers/camara/settings.ts";
import type { IdentityHttpSettings } from "../providers/identity-http/identity.ts";
import type { UsRegion } from "../providers/numbering-plan/phone-book.ts";
import type { OpenIdSettings } from "../providers/openid/openid.ts";
import type { SmsGatewaySettings } from "../providers/sms-gateway/sms.ts";
import type { SmtpSettings } from "../providers/smtp/mail.ts";
import type { SourceSettings } from "../providers/source-call.ts";
import type { StediSettings } from "../providers/stedi/clearinghouse.ts";
import type { TwilioSettings } from "../providers/twilio/sms.ts";
import { reader, type Variables } from "./reader.ts";

/** A vendor that is not configured is null. */
export type AdapterSettings = {
  phoneRegions: UsRegion[];
  twilio: TwilioSettings | null;
  smsGateway: SmsGatewaySettings | null;
  auditStream: AuditStreamSettings;
  camara: CamaraSettings | null;
  stedi: StediSettings | null;
  identitySource: IdentityHttpSettings | null;
  /** Null: our own rules compute the risk. */
  riskSource: SourceSettings | null;
  smtp: SmtpSettings | null;
  /** Signs requests for state IDs. Null: they are unsigned. */
  stateIdReader: StateIdReaderSettings | null;
  /** Null: members do not sign in with OpenID Connect. */
  openId: OpenIdSettings | null;
};

const regions: readonly UsRegion[] = ["US", "PR", "VI", "GU", "AS", "MP"];
/** Minimum length of a secret that is shared with a server of the operator. */
const secretLengthMin = 32;

/** Paths of vendor callbacks under production's URL (`http/callbacks`). */
export const textsPath = "/callbacks/texts";
const carrierReturnPath = "/callbacks/carrier";

/** Reads every vendor's variables and adds errors to `problems`. `apiUrl`: production's URL, if it is served. */
export function readAdapters(source: Variables, problems: string[], apiUrl: string | null = null): AdapterSettings {
  const read = vendorReader(source, problems);
  const settings = {
    phoneRegions: read.someOf("PHONE_REGIONS", regions, ["US"]),
    twilio: readTwilio(read, apiUrl),
    smsGateway: readSmsGateway(read, apiUrl),
    auditStream: readAuditStream(read),
    camara: readCamara(read),
    stedi: readStedi(read),
    identitySource: readIdentitySource(read),
    riskSource: readRiskSource(read),
    stateIdReader: readStateIdReader(read),
    smtp: readSmtp(read),
    openId: readOpenId(read),
  };
  if (settings.twilio !== null && settings.smsGateway !== null)
    problems.push("TWILIO_ACCOUNT_SID, SMS_GATEWAY_URL: only one of them may be set");
  for (const name of repeatedSecrets(settings))
    problems.push(`${name}: must differ from the other secrets, because each vendor could sign for another`);
  const returnsTo = apiUrl === null ? null : `${apiUrl}${carrierReturnPath}`;
  if (settings.camara !== null && returnsTo !== null && settings.camara.redirectUrl !== returnsTo)
    problems.push(`CAMARA_REDIRECT_URL: must be ${returnsTo}, where this service receives devices from the carrier`);
  return settings;
}

/** The variables whose secret another variable has, too. Missing secrets are ignored, and reported elsewhere. */
function repeatedSecrets({ smsGateway, identitySource, riskSource, auditStream }: AdapterSettings): string[] {
  const secrets: [string, string | undefined][] = [
    ["SMS_GATEWAY_SECRET", smsGateway?.secret],
    ["IDENTITY_SOURCE_SECRET", identitySource?.secret],
    ["RISK_SOURCE_SECRET", riskSource?.secret],
    ["AUDIT_STREAM_SECRET", auditStream?.kind === "webhook" ? auditStream.secret : undefined],
  ];
  const given = secrets.map(([, secret]) => secret);
  return secrets.flatMap(([name, secret], at) => (secret && given.indexOf(secret) < at ? [name] : []));
}

type Read = ReturnType<typeof vendorReader>;

function vendorReader(source: Variables, problems: string[]) {
  const read = reader(source, problems);
  return {
    ...read,
    /** Whether a vendor's first variable is set. If it is not, none of its other variables may be set. */
    isOn(first: string, others: readonly string[]): boolean {
      if (read.text(first) !== null || read.text(`${first}_FILE`) !== null) return true;
      const stray = others.filter((name) => read.text(name) !== null || read.text(`${name}_FILE`) !== null);
      for (const name of stray) problems.push(`${name}: has no effect without ${first}`);
      return false;
    },
    needed(name: string, form = /\S/, what = "is required"): string {
      const value = read.text(name);
      if (value === null || !form.test(value)) problems.push(`${name}: ${value === null ? "is required" : what}`);
      return value ?? "";
    },
    neededSecret(name: string, lengthMin = 1): string {
      const value = read.secret(name);
      if (value === null) problems.push(`${name}: is required (or ${name}_FILE)`);
      else if (value.length < lengthMin) problems.push(`${name}: must have at least ${lengthMin} characters`);
      return value ?? "";
    },
    /** A URL that receives secrets, so it must be https or on this machine. */
    vendorUrl(name: string, otherwise: string | null = null): string {
      const value = read.url(name) ?? (read.text(name) === null ? otherwise : "");
      if (value === null) problems.push(`${name}: is required`);
      else if (value !== "" && !isSafe(new URL(value))) problems.push(`${name}: must be an https URL`);
      return value ?? "";
    },
  };
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLoopbackHost(hostname);
}

function readTwilio(read: Read, apiUrl: string | null): TwilioSettings | null {
  if (!read.isOn("TWILIO_ACCOUNT_SID", ["TWILIO_AUTH_TOKEN", "TWILIO_FROM", "TWILIO_API_URL"])) return null;
  return {
    accountSid: read.needed("TWILIO_ACCOUNT_SID", /^AC[0-9a-f]{32}$/i, "must be AC followed by 32 hexadecimal digits"),
    authToken: read.neededSecret("TWILIO_AUTH_TOKEN"),
    from: read.needed(
      "TWILIO_FROM",
      /^(\+[1-9]\d{4,14}|MG[0-9a-f]{32}|\d{5,6})$/i,
      "must be a phone number, a short code or a messaging service",
    ),
    callbackUrl: reportUrl(read, apiUrl),
    apiUrl: read.vendorUrl("TWILIO_API_URL", "https://api.twilio.com"),
  };
}

/** Where the audit log is streamed: `stdout`, or a URL with the secret that signs the requests. Null: nowhere. */
export type AuditStreamSettings = { kind: "stdout" } | { kind: "webhook"; url: string; secret: string } | null;

function readAuditStream(read: Read): AuditStreamSettings {
  if (read.text("AUDIT_STREAM") === "stdout") return { kind: "stdout" };
  if (!read.isOn("AUDIT_STREAM", ["AUDIT_STREAM_SECRET"])) return null;
  const secret = read.neededSecret("AUDIT_STREAM_SECRET", secretLengthMin);
  return { kind: "webhook", url: read.vendorUrl("AUDIT_STREAM"), secret };
}

function readSmsGateway(read: Read, apiUrl: string | null): SmsGatewaySettings | null {
  if (!read.isOn("SMS_GATEWAY_URL", ["SMS_GATEWAY_SECRET", "SMS_GATEWAY_FROM"])) return null;
  return {
    url: read.vendorUrl("SMS_GATEWAY_URL"),
    secret: read.neededSecret("SMS_GATEWAY_SECRET", secretLengthMin),
    from: read.needed("SMS_GATEWAY_FROM"),
    callbackUrl: reportUrl(read, apiUrl),
  };
}

/** URL for delivery reports: `SMS_REPORT_URL`, or else production's own URL. Null: no reports are requested. */
function reportUrl(read: Read, apiUrl: string | null): string | null {
  if (read.text("SMS_REPORT_URL") !== null) return read.vendorUrl("SMS_REPORT_URL");
  return apiUrl === null || apiUrl === "" ? null : `${apiUrl}${textsPath}`;
}

function readCamara(read: Read): CamaraSettings | null {
  const others = ["AUTHORIZE_URL", "TOKEN_URL", "API_URL", "ISSUER", "REDIRECT_URL", "PRIVATE_KEY", "CLIENT_SECRET"];
  const names = others.map((name) => `CAMARA_${name}`);
  if (!read.isOn("CAMARA_CLIENT_ID", names)) return null;
  return {
    clientId: read.needed("CAMARA_CLIENT_ID"),
    authorizeUrl: read.vendorUrl("CAMARA_AUTHORIZE_URL"),
    tokenUrl: read.vendorUrl("CAMARA_TOKEN_URL"),
    apiUrl: read.vendorUrl("CAMARA_API_URL"),
    issuer: read.needed("CAMARA_ISSUER"),
    redirectUrl: read.vendorUrl("CAMARA_REDIRECT_URL"),
    proof: readProof(read),
    purpose: read.text("CAMARA_PURPOSE") ?? "dpv:FraudPreventionAndDetection",
    networks: read.networks("CAMARA_NETWORKS"),
    hashed: read.flag("CAMARA_HASHED", false),
  };
}

/** RSA of this size is as strong as P-256. */
const rsaBitsMin = 3_072;

function readProof(read: Read): ClientProof {
  const pem = read.secret("CAMARA_PRIVATE_KEY");
  if (pem === null) return { kind: "secret", secret: read.neededSecret("CAMARA_CLIENT_SECRET") };
  const key = privateKey(pem);
  if (key === null) {
    read.problem(`CAMARA_PRIVATE_KEY: must be a private key (P-256, or RSA of ${rsaBitsMin} bits or more) in PEM`);
    return { kind: "secret", secret: "" };
  }
  return { kind: "key", key, keyId: read.needed("CAMARA_KEY_ID") };
}

function privateKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    const isStrong =
      type === "rsa" ? (details?.modulusLength ?? 0) >= rsaBitsMin : details?.namedCurve === "prime256v1";
    return isStrong && (type === "rsa" || type === "ec") ? key : null;
  } catch {
    return null;
  }
}

function readStedi(read: Read): StediSettings | null {
  if (!read.isOn("STEDI_API_KEY", ["STEDI_MODE", "STEDI_NPI", "STEDI_PROVIDER_NAME", "STEDI_SENDER", "STEDI_API_URL"]))
    return null;
  const npi = read.text("STEDI_NPI");
  return {
    apiUrl: read.vendorUrl("STEDI_API_URL", "https://healthcare.us.stedi.com/2024-04-01"),
    apiKey: read.neededSecret("STEDI_API_KEY"),
    sender: read.text("STEDI_SENDER") ?? "COUNTERSIGN",
    mode: read.oneOf("STEDI_MODE", ["production", "test"], "production"),
    provider:
      npi === null
        ? null
        : { npi: read.needed("STEDI_NPI", /^\d{10}$/, "must be ten digits"), name: read.needed("STEDI_PROVIDER_NAME") },
  };
}

function readIdentitySource(read: Read): IdentityHttpSettings | null {
  if (!read.isOn("IDENTITY_SOURCE_URL", ["IDENTITY_SOURCE_SECRET", "IDENTITY_SOURCE_ISSUER"])) return null;
  return {
    url: read.vendorUrl("IDENTITY_SOURCE_URL"),
    secret: read.neededSecret("IDENTITY_SOURCE_SECRET", secretLengthMin),
    issuerUuid: read.needed("IDENTITY_SOURCE_ISSUER", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "must be a UUID"),
  };
}

function readRiskSource(read: Read): SourceSettings | null {
  if (!read.isOn("RISK_SOURCE_URL", ["RISK_SOURCE_SECRET"])) return null;
  return { url: read.vendorUrl("RISK_SOURCE_URL"), secret: read.neededSecret("RISK_SOURCE_SECRET", secretLengthMin) };
}

/** A reader certificate with its intermediates, DER, leaf first, and its key. */
export type StateIdReaderSettings = { chain: Uint8Array[]; key: KeyObject };

function readStateIdReader(read: Read): StateIdReaderSettings | null {
  if (!read.isOn("STATE_ID_READER_CERTIFICATE", ["STATE_ID_READER_KEY"])) return null;
  const certificates = certificatesIn(read.neededSecret("STATE_ID_READER_CERTIFICATE"));
  const [leaf] = certificates;
  const pem = read.neededSecret("STATE_ID_READER_KEY");
  const key = privateKey(pem);
  if (leaf === undefined)
    read.problem("STATE_ID_READER_CERTIFICATE: must be a certificate in PEM, followed by its intermediates");
  else if (key?.asymmetricKeyType !== "ec") {
    if (pem !== "") read.problem("STATE_ID_READER_KEY: must be a private key (P-256) in PEM");
  } else if (!leaf.checkPrivateKey(key)) read.problem("STATE_ID_READER_KEY: does not belong to the certificate");
  else return { chain: certificates.map(({ raw }) => new Uint8Array(raw)), key };
  return null;
}

/** Empty if any of them cannot be read. */
function certificatesIn(pem: string): X509Certificate[] {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return parts.map((part) => new X509Certificate(part));
  } catch {
    return [];
  }
}

function readOpenId(read: Read): OpenIdSettings | null {
  if (!read.isOn("OPENID_ISSUER", ["OPENID_CLIENT_ID", "OPENID_CLIENT_SECRET", "OPENID_ALLOWED"])) return null;
  const allowed = read.needed("OPENID_ALLOWED").toLowerCase().split(",");
  return {
    issuer: read.vendorUrl("OPENID_ISSUER"),
    clientId: read.needed("OPENID_CLIENT_ID"),
    clientSecret: read.neededSecret("OPENID_CLIENT_SECRET"),
    allowed: allowed.map((one) => one.trim()).filter((one) => one !== ""),
  };
}

/** Reads `smtps://host` or `smtp://host`. User and password are separate variables, so that the URL can be shown. */
function readSmtp(read: Read): SmtpSettings | null {
  if (!read.isOn("SMTP_URL", ["SMTP_USER", "SMTP_PASSWORD", "SMTP_FROM"])) return null;
  const text = read.text("SMTP_URL") ?? "";
  const url = /^smtps?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "")
    read.problem("SMTP_URL: must be smtps://host or smtp://host, without user and password");
  const isDirect = url?.protocol === "smtps:";
  const host = url?.hostname ?? "";
  const user = read.text("SMTP_USER");
  return {
    host,
    port: url === null || url.port === "" ? (isDirect ? 465 : 587) : Number(url.port),
    tls: isDirect ? "direct" : isLoopbackHost(host) ? "none" : "upgrade",
    user,
    password: user === null ? null : read.neededSecret("SMTP_PASSWORD"),
    from: read.needed("SMTP_FROM", /^[^\r\n]*@[^\r\n]+$/, "must be an email address"),
  };
}
