import { previewRequests } from "@countersign/contract/dashboard-preview";
import type { FastifyInstance } from "fastify";
import { toRequestTree } from "../../domain/credential/request.ts";
import { invalid, refuse } from "../../domain/failure.ts";
import { previewOf } from "../../domain/signup/page/review.ts";
import { brandOf, type Dashboard, mountMember } from "./guard.ts";

/** Previews use the sandbox's first test person in both environments, so no real person is ever looked up. */
export function routesPreview(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, previewRequests, async (who, { params, body }) => {
    await brandOf(dashboard, who, params);
    const { sandbox } = dashboard.environments;
    const [person] = dashboard.guides.sandbox?.testPeople ?? [];
    const judged = sandbox?.phones.judge(person?.phone ?? "");
    if (sandbox === undefined || judged?.kind !== "supported") throw refuse(409, "This service runs no sandbox.");
    const read = toRequestTree(body.requests, "body.requests");
    if (read.kind === "problems") throw invalid(read.problems);
    return { fields: await previewOf(sandbox, judged.phone, read.tree) };
  });
}
