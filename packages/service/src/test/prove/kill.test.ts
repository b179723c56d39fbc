// rest: kills the service and waits until it has recovered
/**
 * Kills the real service with SIGKILL while it works on lookups. Each accepted lookup ends and is reported, and no call
 * is paid for twice.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, type TestContext, test } from "node:test";
import type { HealthEntity } from "@countersign/contract/health";
import type { PaidCall } from "../harness/paid-calls.ts";
import { tell } from "../harness/seeded-run.ts";
import { dataDir, type Started, start } from "../harness/service-process.ts";
import { signatureUnder } from "../harness/webhook-receiver.ts";

/** The number of kills. The default covers the most important places; `npm run prove` runs more. */
const kills = Number(process.env.KILLS ?? "5");
/** Check all results after this many kills. Kills in between hit a service that is still catching up. */
const killsPerCheck = 3;
const clients = 3;
/** Longer than the service waits for the answer of an interrupted call. */
const calmMs = 60_000;
const preload = new URL("../harness/paid-calls-preload.ts", import.meta.url).href;

/**
 * The events at which the service is killed. In the first three, the service waits for the test at that exact place.
 */
const stages = [
  ...(["asked", "answered", "eventArrived"] as const),
  ...(["answerTaken", "eventTaken", "sent", "accepted", "seenProcessing", "seenFinal"] as const),
];
type Stage = (typeof stages)[number];
/** The latest occurrence of a stage at which the service is killed. Only the long form gets that far. */
const timesMax = 12;

type Event = { body: Record<string, unknown>; isGenuine: boolean };
const paidCalls: string[] = [];
const events = new Map<string, Event[]>();
/** The lookups that the service accepted, each with its final answer, or null until it is known. */
const accepted = new Map<string, HealthEntity | null>();
let people = 0;
let secret = "";
let apiKey = "";
let life: Life | null = null;

const receiver = createServer((request, response) => void receive(request, response)).listen(0, "127.0.0.1");
after(() => receiver.close());

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  // A kill may cut the request off. An incomplete request is not an event.
  for await (const part of request.setEncoding("utf8")) text += part;
  const timestamp = request.headers["x-webhook-timestamp"];
  const isGenuine = request.headers["x-webhook-signature"] === signatureUnder(secret, timestamp, text);
  const body = JSON.parse(text);
  events.set(body.healthDataUuid, [...(events.get(body.healthDataUuid) ?? []), { body, isGenuine }]);
  if (life?.reach("eventArrived")) return;
  response.writeHead(204).end(() => life?.reach("eventTaken"));
}

/** One run of the service, from its start to its kill. */
class Life {
  isOver = false;
  private readonly service: Started;
  private point: { stage: Stage; time: number } | null = null;
  private readonly times = new Map<Stage, number>();

  constructor(service: Started) {
    this.service = service;
    service.child.on("message", (call: PaidCall) => this.hear(call));
  }

  /**
   * Counts a stage, and kills the service at the chosen one. Returns true once it is killed, so that callers stop
   * answering.
   */
  reach(stage: Stage): boolean {
    const time = (this.times.get(stage) ?? 0) + 1;
    this.times.set(stage, time);
    if (this.point?.stage === stage && this.point.time === time) {
      this.isOver = true;
      this.service.child.kill("SIGKILL");
    }
    return this.isOver;
  }

  /** Runs lookups until the service is killed. */
  async useUntil(point: { stage: Stage; time: number }): Promise<void> {
    this.times.clear();
    this.point = point;
    await Promise.all(Array.from({ length: clients }, () => this.client()));
    assert.equal((await this.service.exit).signal, "SIGKILL");
  }

  async call<Body>(path: string, body?: unknown): Promise<{ status: number; body: Body } | null> {
    try {
      const response = await fetch(`${this.service.ready.environments.sandbox.apiUrl}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          "content-type": "application/json",
          ...(path.startsWith("/sandbox") ? {} : { authorization: apiKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Body };
    } catch (error) {
      if (this.isOver) return null;
      throw error;
    }
  }

  async stop(): Promise<void> {
    assert.equal((await this.service.stop("SIGTERM")).code, 0);
  }

  private hear({ number, stage, question }: PaidCall): void {
    if (stage === "asked") paidCalls.push(question);
    if (this.reach(stage)) return;
    this.service.child.send(number);
    if (stage === "answered") this.reach("answerTaken");
  }

  private async client(): Promise<void> {
    while (!this.isOver) {
      const sent = this.call<HealthEntity>("/v2/1-click/health", nextQuestion());
      this.reach("sent");
      const answer = await sent;
      if (answer?.status !== 201) continue;
      accepted.set(answer.body.healthDataUuid, null);
      this.reach("accepted");
      await this.follow(answer.body.healthDataUuid);
    }
  }

  private async follow(uuid: string): Promise<void> {
    while (!this.isOver) {
      const answer = await this.call<HealthEntity>(`/v2/1-click/health/${uuid}`);
      if (answer?.body.status === "PROCESSING") this.reach("seenProcessing");
      if (answer !== null && isFinal(answer.body)) {
        this.reach("seenFinal");
        return;
      }
    }
  }
}

/** Never asks about a person twice, so a repeated question means that a call was repeated. */
function nextQuestion(): Record<string, unknown> {
  people += 1;
  const lastName = [...String(people)].map((digit) => "abcdefghij".charAt(Number(digit))).join("");
  const person = { fullName: { firstName: "Test", lastName }, birthDate: "1970-01-01" };
  const kinds = [
    { checkAfterAutofill: false },
    { checkAfterAutofill: true },
    { memberId: "A618095", payer: { id: "60054" } },
  ];
  return { ...person, ...kinds[people % kinds.length] };
}

const isFinal = ({ status }: HealthEntity) => ["SUCCEEDED", "PARTIAL", "FAILED"].includes(status);

async function begin(DATA_DIR: string): Promise<Life> {
  life = new Life(await start(DATA_DIR, {}, preload));
  return life;
}

async function makeBrand({ call }: { call: Life["call"] }): Promise<void> {
  const brand = await call<{ uuid: string; apiKey: string }>("/sandbox/brands", {
    settings: { health: { enabled: true } },
  });
  apiKey = brand?.body.apiKey ?? "";
  if (!receiver.listening) await once(receiver, "listening");
  const address = receiver.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const webhook = await call<{ signingSecret: string }>(`/sandbox/brands/${brand?.body.uuid}/webhooks`, {
    url: `http://127.0.0.1:${port}/`,
  });
  secret = webhook?.body.signingSecret ?? "";
}

/**
 * After all work has ended, checks that each accepted lookup is final, and that its event arrived signed and with the
 * same content.
 */
async function look(present: Life): Promise<void> {
  assert.equal((await present.call("/sandbox/clock", { advanceMs: calmMs }))?.status, 200);
  for (const [uuid, known] of accepted) {
    if (known !== null) continue;
    const entity = (await present.call<HealthEntity>(`/v2/1-click/health/${uuid}`))?.body;
    assert.ok(entity !== undefined && isFinal(entity), JSON.stringify(entity));
    accepted.set(uuid, entity);
    for (const { message } of entity.errors ?? []) assert.match(message, /was interrupted and will not be repeated$/);
    const arrived = events.get(uuid) ?? [];
    assert.ok(arrived.length > 0, `no event for ${uuid}`);
    for (const { body, isGenuine } of arrived) {
      const { event, sentAt, ...rest } = body;
      assert.deepEqual([event, typeof sentAt, isGenuine], ["1-click.health.lookup", "number", true]);
      assert.deepEqual(rest, entity);
    }
  }
  assert.equal(new Set(paidCalls).size, paidCalls.length);
}

function figures(t: TestContext): void {
  const ended = [...accepted.values()];
  const interrupted = ended.filter((entity) => (entity?.errors ?? []).length > 0).length;
  const again = [...events.values()].filter((list) => list.length > 1).length;
  t.diagnostic(
    `${kills} kills: ${ended.length} lookups accepted, ${interrupted} of them with an interrupted call; ` +
      `${paidCalls.length} paid calls, none twice; ${events.size} events, ${again} of them more than once`,
  );
}

test(`killed at ${kills} points, the service loses no lookup or event and pays for no call twice`, async (t) => {
  const DATA_DIR = await dataDir();
  let present = await begin(DATA_DIR);
  await makeBrand({ call: (path, body) => present.call(path, body) });
  for (let kill = 0; kill < kills; kill += 1) {
    const stage = stages[kill % stages.length] ?? "sent";
    await present.useUntil({ stage, time: 1 + (Math.floor(kill / stages.length) % timesMax) });
    present = await begin(DATA_DIR);
    if (kill % killsPerCheck === killsPerCheck - 1 || kill === kills - 1) await look(present);
  }
  assert.ok(accepted.size >= kills / stages.length, `${accepted.size} lookups`);
  figures(t);
  tell({ suite: "kill -9 of the service", what: "kill points; lookups and events lost", tried: kills, lost: 0 });
  await present.stop();
});
