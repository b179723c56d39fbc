import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { after } from "node:test";
import type { FakeTime } from "../fake-time.ts";

/** A fault and the command at which it happens. `greeting` and `end` (of the message) count as commands. */
export type SmtpFault = { at: string; how: "slow" | "reset" | "close" | "half" | "garbage" | number };

/** A mail server on this machine that keeps the emails it receives. */
export async function fakeSmtp(time: FakeTime) {
  const mails: { from: string; to: string[]; text: string }[] = [];
  const broken: { fault: SmtpFault | null } = { fault: null };
  let connections = 0;
  /** Applies the fault instead of the answer, and returns whether it did. */
  const spoiled = (socket: Socket, command: string): boolean => {
    const { fault } = broken;
    if (fault === null || fault.at !== command) return false;
    if (fault.how === "slow") {
      time.lapse();
      socket.destroy();
    } else if (fault.how === "reset") socket.resetAndDestroy();
    else if (fault.how === "close") socket.end();
    else if (fault.how === "half") socket.end("25");
    else if (fault.how === "garbage") socket.end("<html>\r\n</html>\r\n");
    else socket.write(`${fault.how} no, not to somebody@example.com\r\n`);
    return true;
  };
  const server = createServer((socket) => {
    connections += 1;
    let mail = { from: "", to: [] as string[], text: "" };
    let buffer = "";
    let inData = false;
    const answers: Record<string, () => string> = {
      EHLO: () => "250-fake\r\n250 AUTH PLAIN",
      AUTH: () => "235 welcome",
      MAIL: () => "250 ok",
      RCPT: () => "250 ok",
      DATA: () => "354 go on",
      QUIT: () => "221 bye",
      STAR: () => "454 no TLS here",
    };
    const take = (line: string) => {
      const command = line.slice(0, 4).toUpperCase();
      if (spoiled(socket, command)) return;
      if (command === "MAIL") mail = { from: line, to: [], text: "" };
      if (command === "RCPT") mail.to.push(line);
      if (command === "DATA") inData = true;
      socket.write(`${(answers[command] ?? (() => "250 ok"))()}\r\n`);
    };
    socket.on("error", () => {});
    socket.on("data", (part) => {
      buffer += part.toString("utf8");
      for (let end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n"); end >= 0; ) {
        const piece = buffer.slice(0, end);
        buffer = buffer.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          if (!spoiled(socket, "end")) {
            mails.push({ ...mail, text: piece });
            socket.write("250 taken\r\n");
          }
        } else take(piece);
        end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n");
      }
    });
    if (!spoiled(socket, "greeting")) socket.write("220 fake ESMTP\r\n");
    after(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    break(fault: SmtpFault | null) {
      broken.fault = fault;
    },
  };
}
