import type { VerificationEntity } from "@countersign/contract/verification";
import * as contract from "@countersign/contract/verification";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail, invalid } from "../../domain/failure.ts";
import { requiredWords } from "../../domain/problem-words.ts";
import { readVerification } from "../../domain/signup/phone-proof.ts";
import { beginDevice, beginFirst, beginVerification } from "../../domain/verification/begin.ts";
import { channelsFor } from "../../domain/verification/channels.ts";
import { finishDevice, followDevice } from "../../domain/verification/device.ts";
import { deliverText } from "../../domain/verification/texts/deliver.ts";
import { submitCode } from "../../domain/verification/try-code.ts";
import { attemptsRemaining, statusAt, type Verification } from "../../domain/verification/verification.ts";
import { newPersonMs, newVerificationMs, withMinimumDuration } from "../earliest-answer.ts";
import { allPrefixes } from "../generations.ts";
import { channelHeader } from "../idempotency.ts";
import { type Guard, keepsReferrer, mount, Redirect } from "../mount.ts";

/** 1-Click Verify: by text, and by the device itself. */
export function routesVerifications(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes, homeDeps };
  mount(app, contract.createVerification, mounting, async (caller, { body }, { deps, request }) => {
    const { channel = "", channels } = body;
    const isNew = request.routeOptions.url?.startsWith("/v2.1/") === true;
    if (isNew && channels !== undefined) {
      const ms = channels.every((one) => one === "sms") ? newVerificationMs : newPersonMs;
      const begun = await withMinimumDuration(ms, beginFirst(deps, caller, { ...body, channels }));
      if ("row" in begun) return presentVerification(deps, begun);
      return new Redirect(begun.location, begun.uuid, { [channelHeader]: begun.channel });
    }
    if (body.channel === undefined) throw invalid([{ path: "body.channel", message: requiredWords }]);
    if (channel === "sms")
      return presentVerification(
        deps,
        await withMinimumDuration(newVerificationMs, beginVerification(deps, caller, body)),
      );
    if (channel !== "autofill" && channel !== "silent") throw fail("OCV006", {});
    const { location, uuid } = await withMinimumDuration(
      newPersonMs,
      beginDevice(deps, caller, { channel, deviceIp: body.deviceIp, phone: body.phone }),
    );
    return new Redirect(location, uuid);
  });
  mount(app, contract.readChannels, mounting, async ({ brand }, { query }) => ({
    channels: await channelsFor(homeDeps, brand, query.deviceIp),
  }));
  mount(app, contract.deliverVerification, mounting, async (caller, { params, body }, { deps }) =>
    presentVerification(deps, await deliverText(deps, caller, { ...body, uuid: params.uuid })),
  );
  mount(app, contract.submitVerificationCode, mounting, async (caller, { params, body }, { deps }) =>
    presentVerification(deps, await submitCode(deps, caller, { uuid: params.uuid, code: body.code })),
  );
  mount(app, contract.readVerification, mounting, async (caller, { params }, { deps }) =>
    presentVerification(deps, await readVerification(deps, caller, params.uuid)),
  );
  deviceRoutes(app, homeDeps, guards.open);
}

/** Endpoints for the person's device, without a key. */
function deviceRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const mounting = { guard, prefixes: allPrefixes, homeDeps };
  mount(app, contract.readDeviceIp, mounting, async (_nobody, _input, { request }) => ({
    deviceIp: homeDeps.vendors.carrier.deviceIpOf(request.ip),
  }));
  mount(
    app,
    contract.followDevice,
    mounting,
    async (_nobody, { params }, { deps }) =>
      new Redirect(await followDevice(deps, params.token), undefined, keepsReferrer),
  );
  mount(app, contract.finishDevice, mounting, async (_nobody, { params, query }, { deps, request }) =>
    presentVerification(
      deps,
      await finishDevice(deps, {
        state: params.token,
        callerIp: request.ip,
        answer: query.answer,
        referrer: request.headers.referer,
        requestId: request.id,
      }),
    ),
  );
}

/** The public form of a verification. Members without a value are left out. */
function presentVerification(homeDeps: HomeDeps, { row, secrets }: Verification): VerificationEntity {
  const status = statusAt(row, homeDeps.clock.now());
  return {
    uuid: row.uuid,
    ...(secrets.deviceIp === undefined ? {} : { deviceIp: secrets.deviceIp }),
    ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
    channel: row.channel,
    ...(row.format === null ? {} : { format: row.format }),
    status,
    verified: status === "verified",
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.delivered_at === null ? {} : { deliveredAt: row.delivered_at }),
    ...(row.verified_at === null ? {} : { verifiedAt: row.verified_at }),
    attemptsRemaining: attemptsRemaining(row),
  };
}
