// Generated from packages/contract: `npm run generate` writes it.

/** Method and path of each endpoint. */
export const endpoints = {
  amendPage: "POST /api/page/inputs",
  answerStateId: "POST /api/page/state-id/answer",
  askStateId: "POST /api/page/state-id",
  beginPresentation: "POST /api/page/presentation",
  chooseInsurance: "POST /api/page/health/choice",
  decidePage: "POST /api/page/decision",
  findInsurance: "POST /api/page/health",
  provePage: "POST /api/page/:page/code",
  readPage: "GET /api/page/:page",
  resendPage: "POST /api/page/:page/resend",
  searchInsurers: "GET /api/insurers",
  takePresentation: "POST /api/page/presentation/result",
  viewPage: "GET /api/page",
  beginByDevice: "POST /api/session/device",
  beginByPhone: "POST /api/session/phone",
  continueSession: "POST /api/session/continue",
  openSession: "POST /api/session",
};

type Modules = typeof import("@countersign/contract/wallet") & typeof import("@countersign/contract/session");
/** The endpoint values, for their types only. */
export type Endpoints = Pick<Modules, keyof typeof endpoints>;
