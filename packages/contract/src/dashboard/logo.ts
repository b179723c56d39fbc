/** Dashboard endpoints for a brand's logo. The request body is an image instead of JSON. */
import { Environment } from "../brand/brand.ts";
import { logoBytesMax, logoTypes } from "../brand/logo.ts";
import { endpoint } from "../endpoint.ts";
import { t, Uuid } from "../primitives.ts";
import { SettingsView } from "./brands.ts";

const about = {
  tag: "Dashboard",
  auth: "member",
  role: "developer",
  path: "/api/brands/:brand/:environment/logo",
  params: t.Object({ brand: Uuid, environment: Environment }),
  /** The version of the settings that the caller read. */
  query: t.Object({ version: t.String({ pattern: "^[1-9][0-9]{0,9}$" }) }),
  reply: SettingsView,
  status: 200,
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
