/** No process became ready. `exitCode` is that of the last one, which has reported its error. */
export class NoneStarted extends Error {
  override name = "NoneStarted";
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("No process became ready, so the service does not start.");
    this.exitCode = exitCode;
  }
}
