// Generated from packages/contract: `npm run generate` writes it.

/** Method and path of each endpoint. */
export const endpoints = {
  beginSignIn: "POST /api/sign-in",
  correctValue: "POST /api/account/shares/:uuid/values",
  deleteAccount: "POST /api/account/deletion",
  downloadAccount: "GET /api/account/download",
  finishSignIn: "POST /api/sign-in/code",
  hideValues: "DELETE /api/account/proof",
  listDevices: "GET /api/account/devices",
  proveAccount: "POST /api/account/proof",
  readAccount: "GET /api/account",
  readReceipt: "GET /api/account/receipts/:uuid",
  readSignIn: "GET /api/sign-in",
  readTimeline: "GET /api/account/timeline",
  resendSignIn: "POST /api/sign-in/resend",
  signOut: "POST /api/account/sign-out",
  signOutDevice: "DELETE /api/account/devices/:uuid",
  signOutOthers: "DELETE /api/account/devices",
  stopSharing: "POST /api/account/brands/:uuid/stop",
  takeOverNumber: "POST /api/account/new-holder",
  answerWallet: "POST /api/account/takeouts/:uuid/authorization",
  listTakeouts: "GET /api/account/takeouts",
  readOffer: "GET /api/account/takeouts/:uuid",
  takeOut: "POST /api/account/takeouts",
  withdrawTakeout: "POST /api/account/takeouts/:uuid/withdrawal",
};

type Modules = typeof import("@countersign/contract/account") & typeof import("@countersign/contract/takeout");
/** The endpoint values, for their types only. */
export type Endpoints = Pick<Modules, keyof typeof endpoints>;
