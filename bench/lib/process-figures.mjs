import { readFileSync } from "node:fs";

/** What the kernel reports CPU time in, on every Linux: ticks of 10 ms. */
const TICK_MICROSECONDS = 10_000;

/** User and system CPU time of all threads so far, in microseconds. */
export function cpuMicroseconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command's name, which may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}

/** Resident memory now, in bytes. */
export function residentBytes(pid) {
  return statusBytes(pid, "VmRSS");
}

/** The most resident memory there has been, in bytes. */
export function peakResidentBytes(pid) {
  return statusBytes(pid, "VmHWM");
}

function statusBytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(kibibytes) * 1_024;
}
