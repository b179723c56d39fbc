/** Dashboard endpoint for previews of the wallet. */

import { CredentialRequest, credentialRequestsMax } from "../credential/credential.ts";
import { t } from "../primitives.ts";
import { PreviewFields } from "../wallet/preview.ts";
import { forViewer, ofEnvironment } from "./shapes.ts";

export const previewRequests = forViewer("previewRequests", "POST /api/brands/:brand/:environment/preview", {
  summary: "What a person would review: credential requests with the values of a test person",
  params: ofEnvironment,
  body: t.Object({ requests: t.Array(CredentialRequest, { maxItems: credentialRequestsMax }) }),
  reply: t.Object({ fields: PreviewFields }),
  errors: ["ERR001"],
  refusals: [404, 409],
});
