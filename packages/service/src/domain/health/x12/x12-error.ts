/** What was received instead of a 271. */
export type NotA271 =
  | "empty"
  | "html"
  | "json"
  | "notX12"
  | "onlyIsa"
  | "ack999"
  | "ta1"
  | "request270"
  | "otherTransaction"
  | "tooLarge";

/** Thrown for bytes without a 271. The message never contains text from the bytes. */
export class X12Error extends Error {
  override name = "X12Error";
  readonly kind: NotA271;

  constructor(kind: NotA271, message: string) {
    super(message);
    this.kind = kind;
  }
}
