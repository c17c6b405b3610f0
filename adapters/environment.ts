import type { HostEnvironment } from "./host.ts";

/** Names that belong to the platform, not to the pack (contract §7). */
const PLATFORM_NAMES = `
  PATH HOME HOSTNAME USER LANG LANGUAGE TZ TMPDIR TMP TEMP PWD SHLVL _ __CF_USER_TEXT_ENCODING
  NODE_ENV NODE_VERSION YARN_VERSION NODE_OPTIONS NODE_EXTRA_CA_CERTS
  JAVA_HOME JAVA_VERSION JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS VIRTUAL_ENV PORT
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  K_SERVICE K_REVISION K_CONFIGURATION
  AWS_REGION AWS_DEFAULT_REGION AWS_EXECUTION_ENV
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
  AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
  AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4
  IDENTITY_ENDPOINT IDENTITY_HEADER MSI_ENDPOINT MSI_SECRET
  AZURE_CLIENT_ID AZURE_TENANT_ID AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST
`
  .trim()
  .split(/\s+/);

const PLATFORM_PREFIXES = ["KINDGI_", "LC_", "PYTHON", "OTEL_", "CLOUD_RUN_", "CONTAINER_APP_"];

/** Without these, Windows starts no process and opens no socket. */
const WINDOWS_NAMES = ["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE"];

/** The names in an environment that neither the platform nor the pack's index asks for, sorted. */
export function undeclaredNames(
  environment: HostEnvironment,
  declared: readonly string[],
): string[] {
  const { ignoresCase, runtimeNames } = environment;
  const fold = (name: string) => (ignoresCase ? name.toUpperCase() : name);
  const known = new Set(
    [...PLATFORM_NAMES, ...runtimeNames, ...declared, ...(ignoresCase ? WINDOWS_NAMES : [])].map(
      fold,
    ),
  );
  return Object.keys(environment.all())
    .filter((name) => {
      const folded = fold(name);
      return !known.has(folded) && !PLATFORM_PREFIXES.some((prefix) => folded.startsWith(prefix));
    })
    .toSorted();
}
