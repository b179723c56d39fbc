/** Dashboard endpoints for a brand's logo. The request body is an image instead of JSON. */
import { logoBytesMax, logoTypes } from "../brand/logo.ts";
import { endpoint } from "../endpoint.ts";
import { t } from "../primitives.ts";
import { SettingsView } from "./brands.ts";
import { forRole, ofEnvironment } from "./shapes.ts";

const about = {
  ...forRole("developer"),
  path: "/api/brands/:brand/:environment/logo",
  params: ofEnvironment,
  /** The version of the settings that the caller read. */
  query: t.Object({ version: t.String({ pattern: "^[1-9][0-9]{0,9}$" }) }),
  reply: SettingsView,
} as const;

export const putLogo = endpoint({
  ...about,
  id: "putLogo",
  method: "PUT",
  summary: "Upload a brand's logo; 409 if the settings have changed since they were read",
  bytes: logoTypes,
  bodyLimit: logoBytesMax,
  errors: ["ERR001"],
  refusals: [404, 409, 413, 415],
});

export const deleteLogo = endpoint({
  ...about,
  id: "deleteLogo",
  method: "DELETE",
  summary: "Remove a brand's logo; 409 if the settings have changed since they were read",
  errors: ["ERR001"],
  refusals: [404, 409],
});
