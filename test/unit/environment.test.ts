import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { undeclaredNames } from "../../adapters/environment.ts";

interface Given {
  ignoresCase?: boolean;
  runtimeNames?: string[];
}

function environmentOf(names: string[], { ignoresCase = false, runtimeNames = [] }: Given = {}) {
  return {
    all: () => Object.fromEntries(names.map((name) => [name, "value"])),
    delete: () => {},
    ignoresCase,
    runtimeNames,
  };
}

describe("the environment filter (§7)", () => {
  test("drops what neither the platform nor the index names, sorted", () => {
    const names = [
      "npm_config_x",
      "DATABASE_URL",
      "PATH",
      "API_KEY",
      "DECLARED",
      "AWS_SECRET_ACCESS_KEY",
    ];
    const dropped = undeclaredNames(environmentOf(names), ["DECLARED"]);
    expect(dropped).toEqual(["API_KEY", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "npm_config_x"]);
  });

  test("keeps every name of the platform", () => {
    const names =
      `PATH HOME HOSTNAME USER LANG LANGUAGE TZ TMPDIR TMP TEMP PWD SHLVL _ __CF_USER_TEXT_ENCODING NODE_ENV
      NODE_VERSION YARN_VERSION NODE_OPTIONS NODE_EXTRA_CA_CERTS JAVA_HOME JAVA_VERSION JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
      _JAVA_OPTIONS VIRTUAL_ENV PORT HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE
      SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE K_SERVICE K_REVISION K_CONFIGURATION AWS_REGION AWS_DEFAULT_REGION
      AWS_EXECUTION_ENV AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
      AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN
      ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 IDENTITY_ENDPOINT IDENTITY_HEADER MSI_ENDPOINT MSI_SECRET
      AZURE_CLIENT_ID AZURE_TENANT_ID AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST LC_ALL PYTHONPATH OTEL_EXPORTER
      CLOUD_RUN_JOB CONTAINER_APP_NAME KINDGI_ANYTHING`.split(/\s+/);
    expect(undeclaredNames(environmentOf(names), [])).toEqual([]);
  });

  test("a prefix counts at the beginning only, and a name is matched whole", () => {
    const names = ["MY_LC_ALL", "XKINDGI_A", "PATHS", "MYPATH", "path"];
    expect(undeclaredNames(environmentOf(names), [])).toEqual([...names].toSorted());
  });

  test("keeps what the runtime reads", () => {
    const environment = environmentOf(["BUN_INSTALL", "BUN_AUTH_TOKEN"], {
      runtimeNames: ["BUN_INSTALL"],
    });
    expect(undeclaredNames(environment, [])).toEqual(["BUN_AUTH_TOKEN"]);
  });

  test("compares names without case where the platform does", () => {
    const environment = environmentOf(["Path", "declared", "SystemRoot", "kindgi_x", "Other"], {
      ignoresCase: true,
    });
    expect(undeclaredNames(environment, ["DECLARED"])).toEqual(["Other"]);
  });

  test("names of Windows are its own", () => {
    expect(undeclaredNames(environmentOf(["SystemRoot"]), [])).toEqual(["SystemRoot"]);
  });

  test("every declared name is kept, and every dropped one was there", () => {
    const name = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(name), (names, declared) => {
        const dropped = undeclaredNames(environmentOf(names), declared);
        for (const each of dropped) {
          expect(names).toContain(each);
          expect(declared).not.toContain(each);
        }
      }),
    );
  });
});
