/** No process became ready. The last one ended with this code, and has reported its error. */
export class NoneStarted extends Error {
  override name = "NoneStarted";
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("No process became ready, so the service does not start.");
    this.exitCode = exitCode;
  }
}
