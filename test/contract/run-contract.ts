import { afterAll, describe, expect, test } from "vitest";
import { appliesTo } from "./case.ts";
import type { AnyContext, Case } from "./case.ts";
import { cases } from "./cases.ts";
import { gapsOf } from "./gaps.ts";
import type { Gap } from "./gaps.ts";
import { stderrProblems } from "./process.ts";
import type { ProcessService, Service, StartOptions, Target } from "./target.ts";

/** Longest time of a case, in milliseconds: only one that hangs reaches it. */
const MAX_CASE_MS = 120_000;

/** The same of a known gap, which may well hang. */
const MAX_GAP_MS = 10_000;

/** Bodies of 10 MiB hold up their sender, too: they go to each runtime in a file of their own, ahead of no other case. */
export function isOfOrdinarySize({ id }: Case): boolean {
  return !id.startsWith("2-10MiB-");
}

/**
 * Puts every case to a target. A known gap must fail: one that doesn't any more is red.
 *
 * @param isMeant which cases are meant for the target, beside what its kind says. @default those of ordinary size
 */
export function runContract(
  target: Target,
  isMeant: (case_: Case) => boolean = isOfOrdinarySize,
): void {
  const gaps = gapsOf(target.name);
  const services = new SharedServices(target);
  describe(`the contract, ${target.name}`, () => {
    const meant = cases.filter((candidate) => appliesTo(candidate, target) && isMeant(candidate));
    for (const case_ of meant) {
      defineTest(case_, gaps.get(case_.id), services);
    }
    afterAll(() => services.stop(), MAX_CASE_MS);
  });
}

function defineTest(case_: Case, gap: Gap | undefined, services: SharedServices): void {
  const title = `${case_.id} ${case_.title}${gap ? ` (known gap: ${gap.reason})` : ""}`;
  const timeout = gap ? MAX_GAP_MS : MAX_CASE_MS;
  const options = { concurrent: true, fails: gap !== undefined, timeout };
  test(title, options, () => runCase(case_, services));
}

async function runCase(case_: Case, services: SharedServices): Promise<void> {
  const own: Service[] = [];
  const { target } = services;
  const context = {
    target,
    service: (options: StartOptions = {}) => services.get(options),
    async start(options: StartOptions = {}) {
      const service = await target.start(options);
      own.push(service);
      return service;
    },
    spawn(options: StartOptions = {}) {
      if (target.kind !== "process") throw new Error("only a process can be spawned");
      const service = target.spawn(options);
      own.push(service);
      return service;
    },
  };
  try {
    // What a case needs has been compared with the target's kind (appliesTo).
    await (case_.run as (context: AnyContext) => Promise<void>)(context);
  } finally {
    await Promise.all(own.map((service) => service.stop()));
  }
}

/** One service for each set of options that cases share. */
class SharedServices {
  readonly target: Target;
  readonly #services = new Map<string, Promise<Service>>();

  constructor(target: Target) {
    this.target = target;
  }

  get(options: StartOptions): Promise<Service> {
    const key = JSON.stringify(options);
    const service = this.#services.get(key) ?? this.target.start(options);
    this.#services.set(key, service);
    return service;
  }

  /** Stops them all; every line that they wrote must be a record (§8). */
  async stop(): Promise<void> {
    const services = await Promise.all(
      [...this.#services.values()].map((start) => start.catch(() => undefined)),
    );
    await Promise.all(services.map((service) => service?.stop()));
    for (const service of services) {
      if (service && "stderr" in service)
        expect(stderrProblems(service as ProcessService)).toEqual([]);
    }
  }
}
