// Installs the packages of a folder beside this file, unless its lockfile is the one they were last installed from.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [name] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`${name}/`, import.meta.url));
const lockfile = `${folder}package-lock.json`;
const installedFrom = `${folder}node_modules/.installed-from.json`;

if (!existsSync(installedFrom) || !readFileSync(installedFrom).equals(readFileSync(lockfile))) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = { cwd: folder, stdio: ["ignore", "inherit", "inherit"] };
  execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
  copyFileSync(lockfile, installedFrom);
}
