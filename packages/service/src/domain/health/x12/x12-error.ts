/** What came instead of a 271. */
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

/** Bytes that hold no 271. The message never repeats what they hold. */
export class X12Error extends Error {
  override name = "X12Error";
  readonly kind: NotA271;

  constructor(kind: NotA271, message: string) {
    super(message);
    this.kind = kind;
  }
}
