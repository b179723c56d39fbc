import * as contract from "@countersign/contract/verification";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail, invalid } from "../../domain/failure.ts";
import { requiredWords } from "../../domain/problem-words.ts";
import { beginVerification } from "../../domain/verification/begin.ts";
import { beginFirst } from "../../domain/verification/begin-first.ts";
import { channelsFor } from "../../domain/verification/channels.ts";
import { beginDevice, finishDevice, followDevice } from "../../domain/verification/device.ts";
import { findVerification } from "../../domain/verification/find.ts";
import { deliverText } from "../../domain/verification/texts/deliver.ts";
import { submitCode } from "../../domain/verification/try-code.ts";
import { cellOf } from "../cell.ts";
import { newPersonMs, newVerificationMs, withMinimumDuration } from "../earliest-answer.ts";
import { channelHeader } from "../idempotency.ts";
import { type Guard, keepsReferrer, mount, Redirect } from "../mount.ts";
import { allPrefixes } from "./prefixes.ts";
import { presentVerification } from "./present.ts";

/** 1-Click Verify: by text, and by the device itself. */
export function routesVerifications(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes };
  mount(app, contract.createVerification, mounting, async (caller, { body }, request) => {
    const { channel = "", channels } = body;
    const deps = await cellOf(homeDeps, body, caller.requestId);
    const isNew = request.routeOptions.url?.startsWith("/v2.1/") === true;
    if (isNew && channels !== undefined) {
      const ms = channels.every((one) => one === "sms") ? newVerificationMs : newPersonMs;
      const begun = await withMinimumDuration(ms, beginFirst(deps, caller, { ...body, channels }));
      if ("row" in begun) return presentVerification(homeDeps, begun);
      return new Redirect(begun.location, begun.uuid, { [channelHeader]: begun.channel });
    }
    if (body.channel === undefined) throw invalid([{ path: "body.channel", message: requiredWords }]);
    if (channel === "sms")
      return presentVerification(
        homeDeps,
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
  mount(app, contract.deliverVerification, mounting, async (caller, { params, body }) =>
    presentVerification(
      homeDeps,
      await deliverText(await homeDeps.cells.ofUuid(params.uuid), caller, { ...body, uuid: params.uuid }),
    ),
  );
  mount(app, contract.submitVerificationCode, mounting, async (caller, { params, body }) =>
    presentVerification(
      homeDeps,
      await submitCode(await homeDeps.cells.ofUuid(params.uuid), caller, { uuid: params.uuid, code: body.code }),
    ),
  );
  mount(app, contract.readVerification, mounting, async (caller, { params }) => {
    const deps = await homeDeps.cells.ofUuid(params.uuid);
    return presentVerification(homeDeps, await findVerification(deps, deps.db, caller, params.uuid));
  });
  deviceRoutes(app, homeDeps, guards.open);
}

/** Endpoints for the person's device, without a key. */
function deviceRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const mounting = { guard, prefixes: allPrefixes };
  mount(app, contract.readDeviceIp, mounting, async (_nobody, _input, request) => ({
    deviceIp: homeDeps.carrier.deviceIpOf(request.ip),
  }));
  mount(
    app,
    contract.followDevice,
    mounting,
    async (_nobody, { params }) =>
      new Redirect(await followDevice(homeDeps.cells.ofToken(params.token), params.token), undefined, keepsReferrer),
  );
  mount(app, contract.finishDevice, mounting, async (_nobody, { params, query }, request) =>
    presentVerification(
      homeDeps,
      await finishDevice(homeDeps.cells.ofToken(params.token), {
        state: params.token,
        callerIp: request.ip,
        answer: query.answer,
        referrer: request.headers.referer,
        requestId: request.id,
      }),
    ),
  );
}
