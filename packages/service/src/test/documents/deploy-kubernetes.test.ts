/** Checks the Kubernetes example and the Helm chart against the service, without a cluster and without Helm. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import test from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../config/config.ts";
import {
  assertCommand,
  assertVariables,
  everyUnder,
  isRecord,
  type Json,
  read,
  root,
} from "../harness/deploy-files.ts";

test("the Kubernetes example refers only to names that it defines, and probes existing endpoints", async () => {
  assertObjects(
    parseAllDocuments(await read("deploy/kubernetes.yaml")).map((one) => one.toJS()),
    "kubernetes.yaml",
  );
});

test("the chart's objects refer only to names that they define, with the settings and numbers of its values", async () => {
  const values = parse(await read("deploy/helm/values.yaml"));
  const objects = await rendered({ ...values, replicas: 3, workers: 2 });
  assertObjects(objects, "helm");
  assert.deepEqual(objects.map(({ kind, metadata, spec }) => [kind, metadata.name, spec?.replicas]).sort(), [
    ["ConfigMap", "release", undefined],
    ["Deployment", "release", 3],
    ["Deployment", "release-worker", 2],
    ["NetworkPolicy", "release", undefined],
    ["NetworkPolicy", "release-worker", undefined],
    ["Service", "release", undefined],
  ]);
  const images = new Set(everyUnder(objects, "image"));
  const { appVersion } = parse(await read("deploy/helm/Chart.yaml"));
  assert.deepEqual([...images], [`countersign:${appVersion}`]);
  assert.equal(appVersion, JSON.parse(await read("package.json")).version);
  const tagged = await rendered({ ...values, image: { ...values.image, tag: "2" } });
  assert.deepEqual([...new Set(everyUnder(tagged, "image"))], ["countersign:2"]);
});

test("no pod gets a Kubernetes token, and only named callers reach the pods", async () => {
  const values = parse(await read("deploy/helm/values.yaml"));
  const example = parseAllDocuments(await read("deploy/kubernetes.yaml")).map((one) => one.toJS());
  for (const objects of [await rendered(values), example]) {
    const pods = objects.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec.template);
    assert.deepEqual(
      pods.map(({ spec }) => spec.automountServiceAccountToken),
      [false, false],
    );
    const policies = objects.filter(({ kind }) => kind === "NetworkPolicy").map(({ spec }) => spec);
    const selected = policies.map(({ podSelector }) => podSelector.matchLabels.app);
    assert.deepEqual(selected.sort(), pods.map(({ metadata }) => metadata.labels.app).sort());
    for (const { policyTypes, ingress = [] } of policies) {
      assert.deepEqual(policyTypes, ["Ingress"]);
      const metrics = { from: values.metricsCallers, ports: [{ port: "sandbox-api" }, { port: "api" }] };
      if (ingress.length > 0) assert.deepEqual(ingress, [{ from: values.callers }, metrics]);
    }
  }
});

test("no container runs as root, can gain rights or change its image's files", async () => {
  const example = parseAllDocuments(await read("deploy/kubernetes.yaml")).map((one) => one.toJS());
  const confined = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  const [, user] = /^USER (\d+):/m.exec(await read("deploy/Dockerfile")) ?? [];
  for (const objects of [await rendered(parse(await read("deploy/helm/values.yaml"))), example]) {
    for (const { spec } of objects.filter(({ kind }) => kind === "Deployment")) {
      const { securityContext, containers, initContainers = [] } = spec.template.spec;
      assert.deepEqual([securityContext.runAsNonRoot, String(securityContext.runAsUser)], [true, user]);
      assert.deepEqual(securityContext.seccompProfile, { type: "RuntimeDefault" });
      for (const container of [...containers, ...initContainers]) assert.deepEqual(container.securityContext, confined);
    }
  }
});

test("nothing else in the namespace decides about a pod: no links to its services, no quota, no IP family", async () => {
  const values = parse(await read("deploy/helm/values.yaml"));
  const example = parseAllDocuments(await read("deploy/kubernetes.yaml")).map((one) => one.toJS());
  for (const objects of [await rendered(values), example]) {
    for (const { spec } of objects.filter(({ kind }) => kind === "Deployment")) {
      const pod = spec.template.spec;
      assert.equal(pod.enableServiceLinks, false);
      for (const { name, resources } of [...pod.containers, ...(pod.initContainers ?? [])])
        assert.ok(resources?.requests?.cpu !== undefined && resources.limits?.memory !== undefined, name);
    }
    const [service] = objects.filter(({ kind }) => kind === "Service");
    assert.equal(service.spec.ipFamilyPolicy, "PreferDualStack");
  }
  assert.match(await read("deploy/Dockerfile"), /\bHOST=:: /);
});

test("the chart's settings are complete for production", async () => {
  const { settings } = parse(await read("deploy/helm/values.yaml"));
  const { MASTER_KEY_FILE, DATABASE_URL_FILE, METRICS_TOKEN_FILE, ...others } = settings;
  for (const path of [MASTER_KEY_FILE, DATABASE_URL_FILE, METRICS_TOKEN_FILE]) assert.match(path, /^\/secrets\//);
  // A caller that may name another caller's address is a single kind of pod, not a namespace.
  const { callers, metricsCallers } = parse(await read("deploy/helm/values.yaml"));
  for (const caller of [...callers, ...metricsCallers]) assert.ok(caller.podSelector, JSON.stringify(caller));
  const config = readConfig({ ...others, MASTER_KEY: "0".repeat(64) });
  assert.equal(config.production?.publicApiUrl, settings.PUBLIC_PRODUCTION_API_URL);
});

test("an empty list of callers admits nobody", async () => {
  const values = parse(await read("deploy/helm/values.yaml"));
  const rulesOf = async (changed: Json) => {
    const policies = (await rendered({ ...values, ...changed })).filter(({ kind }) => kind === "NetworkPolicy");
    return policies.map(({ spec }) => spec.ingress ?? []);
  };
  assert.deepEqual(await rulesOf({ metricsCallers: [] }), [[{ from: values.callers }], []]);
  assert.deepEqual(await rulesOf({ callers: [], metricsCallers: [] }), [[], []]);
});

/** The chart's objects. Its templates use only what this renders: values, `if`, `toJson`, `sha256sum` and `default`. */
async function rendered(values: Json) {
  const chart = parse(await read("deploy/helm/Chart.yaml"));
  const scope = { Values: values, Release: { Name: "release" }, Chart: { AppVersion: chart.appVersion } };
  const folder = "deploy/helm/templates";
  const files = await readdir(resolve(root, folder));
  const texts = await Promise.all(files.sort().map((name) => read(`${folder}/${name}`)));
  return texts.flatMap((text) =>
    parseAllDocuments(
      text
        .replace(/\{\{ if (\.[\w.]+) \}\}([\s\S]*?)\{\{ end \}\}/g, (_, path: string, part: string) =>
          ["", "[]"].includes(evaluated(`toJson ${path}`, scope)) ? "" : part,
        )
        .replace(/\{\{ (.*?) \}\}/g, (_, what: string) => evaluated(what, scope)),
    ).map((one) => one.toJS()),
  );
}

function evaluated(what: string, scope: Json): string {
  const valueAt = (path: string) =>
    path
      .slice(1)
      .split(".")
      .reduce((value: unknown, name) => (isRecord(value) ? value[name] : assert.fail(`${what}: no ${name}`)), scope);
  const [, json, path = "", pipe] = /^(toJson )?(\.[\w.]+)(?: \| (.+))?$/.exec(what) ?? assert.fail(what);
  const value = valueAt(path);
  assert.notEqual(value, undefined, what);
  const text = json === undefined ? String(value) : JSON.stringify(value);
  if (pipe === "sha256sum") return createHash("sha256").update(text).digest("hex");
  const [, otherwise] = /^default (\.[\w.]+)$/.exec(pipe ?? "") ?? [];
  assert.ok(pipe === undefined || otherwise !== undefined, what);
  return text === "" && otherwise !== undefined ? String(valueAt(otherwise)) : text;
}

function assertObjects(documents: ReturnType<typeof parse>[], where: string): void {
  const byKind = (kind: string) => documents.filter((one) => one.kind === kind);
  const [config] = byKind("ConfigMap");
  const [service] = byKind("Service");
  assertVariables(Object.keys(config.data), where);
  assert.equal(byKind("Deployment").length, 2);
  for (const { spec } of byKind("Deployment")) {
    const { containers, initContainers = [], volumes } = spec.template.spec;
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    for (const container of [...containers, ...initContainers]) {
      assertCommand(container.args, container.name);
      for (const { name } of container.volumeMounts)
        assert.ok(
          volumes.some((one: Json) => one.name === name),
          name,
        );
      const names = (container.ports ?? []).map((one: Json) => one.name);
      for (const probe of everyUnder(container, "httpGet").filter(isRecord)) {
        assert.ok(names.includes(probe.port), String(probe.port));
        assert.ok(["/readyz", "/livez"].includes(String(probe.path)));
      }
    }
  }
  assert.ok(everyUnder(documents, "httpGet").length >= 2, "there are probes");
  const [answering] = byKind("Deployment");
  const opened = answering.spec.template.spec.containers[0].ports;
  assert.deepEqual(
    service.spec.ports.map((one: Json) => [one.name, one.port]),
    opened.map((one: Json) => [one.name, one.containerPort]),
  );
}
