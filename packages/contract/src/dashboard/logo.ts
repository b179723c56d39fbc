/** Dashboard endpoints for a brand's logo. The request body is an image instead of JSON. */
import { logoBytesMax, logoTypes } from "../brand/logo.ts";
import { t } from "../primitives.ts";
import { SettingsView } from "./brands.ts";
import { forDeveloper, ofEnvironment } from "./shapes.ts";

const shared = {
  params: ofEnvironment,
  /** The version of the settings that the caller read. */
  query: t.Object({ version: t.String({ pattern: "^[1-9][0-9]{0,9}$" }) }),
  reply: SettingsView,
};

export const putLogo = forDeveloper("putLogo", "PUT /api/brands/:brand/:environment/logo", {
  ...shared,
  summary: "Upload a brand's logo; 409 if the settings have changed since they were read",
  bytes: logoTypes,
  bodyLimit: logoBytesMax,
  refusals: [404, 409, 413, 415],
});

export const deleteLogo = forDeveloper("deleteLogo", "DELETE /api/brands/:brand/:environment/logo", {
  ...shared,
  summary: "Remove a brand's logo; 409 if the settings have changed since they were read",
  refusals: [404, 409],
});
