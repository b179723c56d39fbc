/** Checks the Kubernetes example, and the chart as Helm renders it, against the service and Kubernetes' own types. */
import assert from "node:assert/strict";
import test from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../config/config.ts";
import { assertCommand, assertVariables, everyUnder, isRecord, type Json, read } from "../harness/deploy-files.ts";
import { lintChart, rendered, typeErrors, withoutHelm } from "../harness/helm.ts";

const example = parseAllDocuments(await read("deploy/kubernetes.yaml")).map((one) => one.toJS());
/** The example's objects and the chart's, if there is a Helm for this machine. */
const both = () => (withoutHelm === false ? [rendered(), example] : [example]);

test("the Kubernetes example refers only to names that it defines, and probes existing endpoints", async () => {
  assertObjects(example, "kubernetes.yaml");
});

test("the chart's objects refer only to names that they define, with the settings and numbers of its values", {
  skip: withoutHelm,
}, async () => {
  const objects = rendered({ replicas: 3, workers: 2 });
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
  const tagged = rendered({ image: { tag: "2" } });
  assert.deepEqual([...new Set(everyUnder(tagged, "image"))], ["countersign:2"]);
});

test("no pod gets a Kubernetes token, and only named callers reach the pods", async () => {
  const values = parse(await read("deploy/helm/values.yaml"));
  for (const objects of both()) {
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
  const confined = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  const [, user] = /^USER (\d+):/m.exec(await read("deploy/Dockerfile")) ?? [];
  for (const objects of both()) {
    for (const { spec } of objects.filter(({ kind }) => kind === "Deployment")) {
      const { securityContext, containers, initContainers = [] } = spec.template.spec;
      assert.deepEqual([securityContext.runAsNonRoot, String(securityContext.runAsUser)], [true, user]);
      assert.deepEqual(securityContext.seccompProfile, { type: "RuntimeDefault" });
      for (const container of [...containers, ...initContainers]) assert.deepEqual(container.securityContext, confined);
    }
  }
});

test("nothing else in the namespace decides about a pod: no links to its services, no quota, no IP family", async () => {
  for (const objects of both()) {
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

test("an empty list of callers admits nobody", { skip: withoutHelm }, async () => {
  const { callers } = parse(await read("deploy/helm/values.yaml"));
  const rulesOf = (changed: Json) => {
    const policies = rendered(changed).filter(({ kind }) => kind === "NetworkPolicy");
    return policies.map(({ spec }) => spec.ingress ?? []);
  };
  assert.deepEqual(rulesOf({ metricsCallers: [] }), [[{ from: callers }], []]);
  assert.deepEqual(rulesOf({ callers: [], metricsCallers: [] }), [[], []]);
});

test("helm lint has no warning about the chart", { skip: withoutHelm }, () => {
  const { passed, said } = lintChart();
  assert.ok(passed, said);
});

test("Kubernetes knows each member of the example and of the chart, with its values and with others", () => {
  const values = { imagePullSecrets: [{ name: "registry" }], callers: [], metricsCallers: [], replicas: 5 };
  const other = withoutHelm === false ? rendered(values) : [];
  assert.equal(typeErrors([...both().flat(), ...other]), "");
  const [{ spec, ...others } = assert.fail()] = example.filter(({ kind }) => kind === "Deployment");
  const { selector, ...without } = spec;
  const pod = { ...spec.template.spec, automountServiceAccountTokens: false };
  const wrong = [{ ...spec, template: { ...spec.template, spec: pod } }, { ...spec, replicas: "2" }, without];
  const [unknown, type, missing] = typeErrors(wrong.map((one) => ({ ...others, spec: one }))).split("\n");
  assert.match(unknown ?? "", /"automountServiceAccountTokens"' does not exist/);
  assert.match(type ?? "", /'string' is not assignable to type 'number'/);
  assert.match(missing ?? "", /'"selector"' is missing/);
});

test("OpenShift chooses the user if the values name none", { skip: withoutHelm }, () => {
  const objects = rendered({ podSecurityContext: { runAsUser: null, fsGroup: null } });
  for (const { spec } of objects.filter(({ kind }) => kind === "Deployment"))
    assert.deepEqual(spec.template.spec.securityContext, {
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
});

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
