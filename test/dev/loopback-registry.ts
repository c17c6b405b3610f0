import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface LoopbackRegistry {
  readonly url: string;
  close(): void;
}

/** A package registry with this package, as it would be published, and with what is installed here. */
export async function startRegistry(): Promise<LoopbackRegistry> {
  const { name: own } = manifestIn(root);
  const published = packOwn();
  const server = createServer((request, response) => {
    const [, name = "", isTarball] =
      /^\/((?:@[^/]+\/)?[^/]+)(\/-\/.+\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const folder = name === own ? root : join(root, "node_modules", name);
    if (name === "" || !existsSync(join(folder, "package.json"))) {
      response.writeHead(404).end("{}");
    } else if (isTarball) {
      response.end(name === own ? published : packFolder(name));
    } else {
      const { port } = server.address() as AddressInfo;
      response.end(JSON.stringify(packument(manifestIn(folder), `http://127.0.0.1:${port}`)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

interface Manifest {
  name: string;
  version: string;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** What a registry tells of a package: the one version that it has. */
function packument(manifest: Manifest, url: string): object {
  const { name, version } = manifest;
  const dist = { tarball: `${url}/${name}/-/package-${version}.tgz` };
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}

function packOwn(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "pack-handler-published-"));
  try {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
    execFileSync(npm, args, { cwd: root });
    const [tarball = ""] = readdirSync(folder);
    return readFileSync(join(folder, tarball));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tarball's outermost folder may have any name. */
function packFolder(name: string): Buffer {
  const parent = join(root, "node_modules", name, "..");
  const folder = name.slice(name.lastIndexOf("/") + 1);
  return execFileSync("tar", ["-cz", "-C", parent, folder], { maxBuffer: 2 ** 28 });
}
