import type { BrandSettings } from "./brand.ts";

/** The changes to a new brand's settings in the examples of sandbox control. */
export const changedSettings = {
  integrationType: "sdk",
  defaultCredentialRequests: [{ type: "FullNameCredential" }, { type: "BirthDateCredential", mandatory: "yes" }],
} satisfies Partial<BrandSettings>;

/** The resulting settings, as the API returns them. */
export const settingsExample: BrandSettings = {
  ...changedSettings,
  externalName: "Pied Piper",
  redirectUrl: null,
  allowedRedirectUrls: [],
  redirectUserAfter: "phoneVerification",
  allowedOrigins: [],
  credentialFormats: {
    birthDate: "yyyy-MM-dd",
    state: "abbreviation",
    country: "abbreviation",
    fullName: "object",
    address: "object",
  },
  challenges: [],
  manualSignup: "useYourOwn",
  riskSignals: true,
  riskSignalAddOns: { reasonCodes: true, carrier: true, email: true, deviceIp: true },
  governmentId: { reported: false, required: false, onConflict: "preferSource" },
  phoneVerificationType: "byService",
  channels: { autofill: true, silent: true, sms: true },
  v1: { sendsSmsItself: false, trustedApproved: false, push: null },
  health: {
    enabled: false,
    checkAfterAutofill: true,
    serviceTypeCodes: ["30"],
    coverageTypes: ["medical", "dental", "vision"],
    providers: [],
  },
  networkRules: [],
  consent: { declared: true, version: "2026-01", text: null, url: null },
  otpOrigin: null,
  openid: { redirectUris: [], signedUserInfo: false },
  styling: {
    primaryColor: "#0B6E4F",
    errorColor: "#B00020",
    mutedColor: "#6B7280",
    backgroundColor: "#FFFFFF",
    alignment: "center",
    fontFamily: "system",
    inputRadius: 8,
    buttonRadius: 8,
    oneClickWord: "Signup",
    logoUrl: null,
    successAnimation: "full",
  },
};
