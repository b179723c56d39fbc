/** The calls of a brand's server to Countersign, and one kind of error. */

export class Refused extends Error {
  /** @param {number} status @param {{ message?: string, data?: Record<string, any> }} body */
  constructor(status, body) {
    super(body.message ?? `status ${status}`);
    this.status = status;
    this.code = body.data?.errorCode;
    this.data = body.data ?? {};
  }
}

/**
 * The service's URL and the brand's key, which never leave this server. `onCall` is told of each call, for the sample's
 * panel.
 */
export function countersign({ apiUrl, apiKey, onCall = () => {} }) {
  const call = async (method, path, body) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = await response.json();
    onCall({ method, path, status: response.status, code: answer.data?.errorCode });
    if (!response.ok) throw new Refused(response.status, answer);
    return answer;
  };
  return {
    beginOneClick: (body) => call("POST", "/v2/1-click", body),
    readOneClick: (uuid) => call("GET", `/v2/1-click/${encodeURIComponent(uuid)}`),
    /** A one-use key for the SDK on this visitor's page. */
    createSession: (known = {}) => call("POST", "/v2/client/1-click", known),
    createVerification: (phone) => call("POST", "/v2/1-click/verifications", { channel: "sms", phone }),
    deliver: (uuid) => call("POST", `/v2/1-click/verifications/${encodeURIComponent(uuid)}/deliver`, {}),
    verify: (uuid, code) => call("POST", `/v2/1-click/verifications/${encodeURIComponent(uuid)}/verify`, { code }),
    /** Sandbox only: creates a brand and changes its settings, as the dashboard would. */
    createBrand: (brand) => call("POST", "/sandbox/brands", brand),
    changeBrand: (uuid, settings) => call("PATCH", `/sandbox/brands/${uuid}/settings`, settings),
  };
}
