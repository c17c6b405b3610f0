// What is asked of the packages that are locked and of the one that is published. Each rule returns its problems.

const LICENCES = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]);

/** A manifest without a licence beside a LICENSE file with the text of MIT. */
const MIT_BY_FILE = {
  licence: undefined,
  reason: "its LICENSE file is MIT's; only the tests of embedding need it",
};

/**
 * Licences beyond those, by package, each with its reason.
 *
 * @type {Readonly<Record<string, { licence: string | undefined, reason: string }>>}
 */
const EXCEPTIONS = {
  "axe-core": {
    licence: "MPL-2.0",
    reason: "used as it is; only the page's tests in a browser need it",
  },
  "@hattip/compose": MIT_BY_FILE,
  "@hattip/core": MIT_BY_FILE,
  busboy: MIT_BY_FILE,
  streamsearch: MIT_BY_FILE,
  tslib: {
    licence: "0BSD",
    reason: "more permissive than MIT; only the tests of embedding need it",
  },
  "lru-cache": {
    licence: "BlueOak-1.0.0",
    reason: "as permissive as MIT; only @arethetypeswrong/cli, which checks the package, needs it",
  },
  pako: {
    licence: "(MIT AND Zlib)",
    reason:
      "Zlib is as permissive as MIT; only autocannon, which makes a benchmark's load, needs it",
  },
};

const FINISHED_ON_INSTALL = ["preinstall", "install", "postinstall", "prepublish"];
const PREPARES = ["preprepare", "prepare", "postprepare"];

/** What a published package may hold, by path. */
const PUBLISHED =
  /^(?:package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|dist\/[\w-]+\.(?:js|js\.map|d\.ts)|dist\/THIRD-PARTY-LICENSES\.txt|dist\/page\/[\w.-]+|templates\/pack\/[\w./-]+)$/;
const NEEDED = [
  "package.json",
  "README.md",
  "SECURITY.md",
  "LICENSE",
  "dist/THIRD-PARTY-LICENSES.txt",
];

/** The packages of a lockfile as `[name, entry]`, the project itself left out. */
function lockedPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => [entry.name ?? path.replace(/^.*node_modules\//, ""), entry]);
}

export function integrityProblems(lock) {
  return lockedPackages(lock)
    .filter(([, { integrity, link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))
    .map(([name, { version }]) => `${name} ${version} has no sha512 integrity`);
}

export function licenceProblems(lock, exceptions = EXCEPTIONS) {
  return lockedPackages(lock)
    .filter(([name, { license }]) => {
      const isExcepted = Object.hasOwn(exceptions, name) && exceptions[name].licence === license;
      return !LICENCES.has(license) && !isExcepted;
    })
    .map(([name, { version, license }]) => `${name} ${version} has the licence ${license}`);
}

/** A script that a package runs when it is installed: never where the service is used, and elsewhere told not to. */
export function installScriptProblems(lock, { allowScripts = {} }) {
  return lockedPackages(lock)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .flatMap(([name, { dev, devOptional }]) => {
      const problems = [];
      if (!lock.isDevelopment && !dev && !devOptional)
        problems.push(`${name}, which the published package needs, has an install script`);
      if (allowScripts[name] !== false)
        problems.push(`${name} has an install script: set allowScripts.${name} to false`);
      return problems;
    });
}

/** What a manifest would run on its users' machines. */
export function manifestProblems({ scripts = {} }) {
  return [...FINISHED_ON_INSTALL, ...PREPARES]
    .filter((name) => Object.hasOwn(scripts, name))
    .map((name) => `package.json has the script ${name}`);
}

/** `read` gives a published file's text; `root` is where it was built. */
export function publishedProblems(paths, read, root) {
  const missing = NEEDED.filter((path) => !paths.includes(path));
  return [
    ...missing.map((path) => `${path} is not published`),
    ...paths.filter((path) => !PUBLISHED.test(path)).map((path) => `${path} is published`),
    ...paths
      .filter((path) => read(path).includes(root))
      .map((path) => `${path} names a path of the machine that built it`),
    ...paths
      .filter((path) => path.endsWith(".map"))
      .flatMap((path) => sourceMapProblems(path, JSON.parse(read(path)))),
    ...paths
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) => sourceMapReferenceProblems(path, read(path), paths)),
  ];
}

function sourceMapProblems(path, { sources, sourcesContent = [] }) {
  return sources
    .filter((_, index) => typeof sourcesContent[index] !== "string")
    .map((source) => `${path} points at ${source}, and doesn't hold it`);
}

function sourceMapReferenceProblems(path, text, paths) {
  const [, name] = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(text) ?? [];
  if (name === undefined || paths.includes(`${path.replace(/[^/]*$/, "")}${name}`)) return [];
  return [`${path} names ${name}, which is not published`];
}

/** Findings of `npm audit` that are too severe to publish with; what it lacks where it could not ask. */
export function auditProblems(report) {
  if (typeof report?.vulnerabilities !== "object") {
    return { leftOut: report?.error?.summary || report?.message || "it gave no report" };
  }
  const severe = Object.values(report.vulnerabilities).filter(({ severity }) =>
    ["high", "critical"].includes(severity),
  );
  return { problems: severe.map(({ name, severity }) => `${name}: ${severity} by npm audit`) };
}
