import { expect } from "vitest";
import { failure, json, output } from "../answer.ts";
import type { Case } from "../case.ts";
import { callTool } from "../messages.ts";
import { fixtureIndex, FIXTURE_PACK } from "../packs.ts";
import { stderrProblems } from "../process.ts";
import { TOKEN } from "../target.ts";
import type { ProcessOptions } from "../target.ts";

const PLATFORM =
  `HOSTNAME USER LANG LANGUAGE TZ TMPDIR TMP TEMP PWD SHLVL _ __CF_USER_TEXT_ENCODING NODE_ENV
NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS JAVA_HOME JAVA_VERSION JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
_JAVA_OPTIONS VIRTUAL_ENV HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR
REQUESTS_CA_BUNDLE CURL_CA_BUNDLE K_SERVICE K_REVISION K_CONFIGURATION AWS_REGION AWS_DEFAULT_REGION
AWS_EXECUTION_ENV AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN
ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 IDENTITY_ENDPOINT IDENTITY_HEADER MSI_ENDPOINT MSI_SECRET
AZURE_CLIENT_ID AZURE_TENANT_ID AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST LC_ALL PYTHONPATH
OTEL_SERVICE_NAME CLOUD_RUN_JOB CONTAINER_APP_NAME KINDGI_ANYTHING`.split(/\s+/);

/** Values of these would change how a runtime itself starts. */
const KEPT: Record<string, string> = {
  ...Object.fromEntries(PLATFORM.map((name) => [name, `kept-${name}`])),
  TMPDIR: "/tmp",
  NODE_EXTRA_CA_CERTS: "",
  SSL_CERT_FILE: "",
  TZ: "UTC",
  LANG: "C",
  LC_ALL: "C",
  JAVA_TOOL_OPTIONS: "",
  HTTP_PROXY: "",
  HTTPS_PROXY: "",
  http_proxy: "",
  https_proxy: "",
};

const UNDECLARED = {
  DATABASE_URL: "dropped-value-1",
  AWS_SECRET_ACCESS_KEY: "dropped-value-2",
  AWS_SESSION_TOKEN: "dropped-value-3",
  NPM_TOKEN: "dropped-value-4",
  PATHS: "dropped-value-5",
  path: "dropped-value-6",
  OTEL: "dropped-value-7",
  NODE_OPTIONS_X: "dropped-value-8",
};

const DECLARED = { REQUIRED_NAME: "declared-value-1", OPTIONAL_NAME: "declared-value-2" };

const index = {
  ...fixtureIndex(),
  env: { required: ["REQUIRED_NAME"], optional: ["OPTIONAL_NAME", "UNSET_NAME"] },
};

const FILTERED: ProcessOptions = {
  pack: { index },
  env: { ...KEPT, ...UNDECLARED, ...DECLARED },
  permissions: ["run"],
};

/** A JSON text of all that pack code saw of the environment, by every way there is. */
async function seenEnvironment(service: Parameters<typeof callTool>[0]) {
  const seen = output(await callTool(service, "environment"));
  expect(seen.child).toContain("PATH=");
  expect(seen.worker.PATH).toBeTypeOf("string");
  return seen;
}

export const environmentCases: readonly Case[] = [
  {
    id: "7-no-token",
    title: "neither pack code nor a child or worker of it finds the token",
    verifies: ["7.no-token"],
    needs: "process",
    async run({ service }) {
      const seen = JSON.stringify(await seenEnvironment(await service(FILTERED)));
      expect(seen).not.toContain(TOKEN);
      expect(seen).not.toContain("KINDGI_PACK_SERVICE_TOKEN");
    },
  },
  {
    id: "7-filtered",
    title: "pack code, its children and its workers see declared and platform names only",
    verifies: ["7.filtered", "7.env-filter"],
    needs: "process",
    async run({ service }) {
      const seen = await seenEnvironment(await service(FILTERED));
      for (const name of Object.keys(UNDECLARED)) expect(Object.keys(seen.own)).not.toContain(name);
      expect(seen.own).toMatchObject({ ...KEPT, ...DECLARED });
      const text = JSON.stringify(seen);
      for (const value of Object.values(UNDECLARED)) expect(text).not.toContain(value);
      for (const value of Object.values(DECLARED)) expect(seen.child).toContain(value);
    },
  },
  {
    id: "7-env-dropped",
    title: "dropped names go into one warning, without values",
    verifies: ["7.env-dropped", "8.names", "8.event-kind", "8.no-secrets"],
    needs: "process",
    async run({ service }) {
      const { records, stderr } = await service(FILTERED);
      const record = await records.event("env-dropped");
      expect(record).toMatchObject({ kind: "env-dropped", level: "warn" });
      // A launcher (`bun run`, `deno task`) adds names of its own.
      const names = (record.names as string[]).filter((name) => name in (FILTERED.env ?? {}));
      expect(names.toSorted()).toEqual(Object.keys(UNDECLARED).toSorted());
      expect(records.count(({ event }) => event === "env-dropped")).toBe(1);
      for (const value of Object.values(UNDECLARED)) expect(stderr()).not.toContain(value);
    },
  },
  {
    id: "7-filter-off",
    title: "with the filter off all stays but the token",
    verifies: ["7.env-filter", "7.no-token"],
    needs: "process",
    async run({ start }) {
      const service = await start({
        ...FILTERED,
        env: { ...FILTERED.env, KINDGI_PACK_ENV_FILTER: "off" },
      });
      const seen = await seenEnvironment(service);
      expect(seen.own).toMatchObject(UNDECLARED);
      expect(seen.child).toContain("dropped-value-1");
      expect(JSON.stringify(seen)).not.toContain(TOKEN);
      expect(service.records.count(({ event }) => event === "env-dropped")).toBe(0);
    },
  },
  {
    id: "7-nothing-dropped",
    title: "where nothing is dropped nothing is said",
    verifies: ["7.env-dropped"],
    needs: "process",
    // The others' launchers add names of their own.
    runtimes: ["node"],
    async run({ service }) {
      const { records } = await service();
      expect(records.count(({ event }) => event === "env-dropped")).toBe(0);
    },
  },
  {
    id: "7-missing-env-strict",
    title: "strict is the check that is in force unless another is named",
    verifies: ["7.env-check", "1.503-missing-env"],
    needs: "process",
    async run({ service }) {
      const strict = await service({ pack: { index }, env: { REQUIRED_NAME: "" } });
      expect(json(await strict.send({ path: "/readyz" }))).toMatchObject({
        missingEnv: ["REQUIRED_NAME"],
      });
      const satisfied = await service({ pack: { index }, env: DECLARED });
      expect((await satisfied.send({ path: "/readyz" })).status).toBe(200);
    },
  },
  {
    id: "7-env-values",
    title: "declared values are in no line",
    verifies: ["8.no-secrets"],
    needs: "process",
    async run({ service }) {
      const running = await service({ pack: { index }, env: DECLARED });
      output(await callTool(running, "log", { envValue: DECLARED.REQUIRED_NAME }));
      await running.records.waitFor("the message", ({ message }) =>
        message.startsWith("in a message"),
      );
      for (const value of Object.values(DECLARED)) expect(running.stderr()).not.toContain(value);
    },
  },
  {
    id: "7-embedding",
    title: "an embedded service leaves the environment as it is",
    verifies: ["7.embedding"],
    needs: "in-process",
    async run({ start }) {
      const before = { ...process.env };
      const service = await start({ env: { ...DECLARED, ...UNDECLARED } });
      output(await callTool(service, "echo"));
      expect({ ...process.env }).toEqual(before);
    },
  },
  {
    id: "7-deno-permissions",
    title: "Deno refuses pack code what the serve task doesn't permit, and that is a throw",
    verifies: ["2.handler-throw"],
    needs: "process",
    runtimes: ["deno"],
    async run({ service }) {
      const running = await service();
      for (const what of ["run", "write"]) {
        const input = { what, path: `${FIXTURE_PACK}/written.txt` };
        const { cause } = failure(await callTool(running, "forbidden", input), "handler-throw");
        expect(cause).toMatchObject({ name: "NotCapable" });
      }
      expect(stderrProblems(running)).toEqual([]);
    },
  },
];
