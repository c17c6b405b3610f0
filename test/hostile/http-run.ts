import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processTarget, stderrProblems } from "../contract/process.ts";
import type { ProcessService, ProcessTarget } from "../contract/target.ts";
import type { RuntimeName } from "../runtimes/runtimes.ts";
import { DIFFERENCES } from "./http-differences.ts";
import type { Difference } from "./http-differences.ts";
import { playInput } from "./http-exchange.ts";
import { hostileInputs } from "./http-inputs.ts";
import type { HostileInput } from "./http-inputs.ts";
import { HOSTILE_PACK } from "./http-pack.ts";
import { call } from "./http-request.ts";

const SOCKETS_AT_ONCE = 32;

/** Puts every input to one service of a runtime, then looks at what ran, what it wrote and how it ends. */
export function runHostileHttp(runtime: RuntimeName): void {
  const target = processTarget(runtime);
  const inputs = hostileInputs();
  describe(`HTTP as bytes, ${runtime} (§1, §7, §8)`, () => {
    let trial: Trial;
    beforeAll(async () => {
      // More slots than there are inputs: a refusal for want of one would hide what an input leads to.
      const service = await target.start({ pack: HOSTILE_PACK, maxConcurrency: 10_000 });
      trial = new Trial(service, target.runtime);
    });
    afterAll(() => trial?.service.stop());

    for (const [kind, ofKind] of inputs) {
      test(`${kind}: ${ofKind.length} inputs`, async () => {
        expect(await trial.play(ofKind)).toEqual([]);
      });
    }

    test("every difference is one of an input", () => {
      const unused = DIFFERENCES.filter(
        (difference) =>
          difference.runtime === target.runtime &&
          !inputs.get(difference.kind)?.some(({ name }) => difference.inputs.test(name)),
      );
      expect(unused).toEqual([]);
    });

    test("it ends well, and only what was answered has run, once", async () => {
      const { service } = trial;
      service.drain();
      expect(await service.exited).toEqual({ code: 0, signal: null });
      expect(stderrProblems(service)).toEqual([]);
      expect(service.stdout()).toBe("");
      expect(service.records.count(({ event }) => event === "internal-error")).toBe(0);
      expect(trial.wrongRuns()).toEqual([]);
    });
  });
}

/** One service under all inputs. */
class Trial {
  readonly service: ProcessService;
  readonly #runtime: ProcessTarget["runtime"];
  readonly #answered = new Set<string>();
  /** Calls that were whole and may or may not have come to run. */
  readonly #uncertain = new Set<string>();
  /** Calls that a difference says have run, whether or not they were answered. */
  readonly #unanswered = new Set<string>();
  #probes = 0;

  constructor(service: ProcessService, runtime: ProcessTarget["runtime"]) {
    this.service = service;
    this.#runtime = runtime;
  }

  /** Plays inputs, many at once. Returns what went otherwise than expected. */
  async play(inputs: readonly HostileInput[]): Promise<string[]> {
    const waiting = [...inputs];
    const problems: string[] = [];
    const worker = async () => {
      for (let input = waiting.pop(); input; input = waiting.pop())
        problems.push(...(await this.#judge(input)));
    };
    await Promise.all(Array.from({ length: SOCKETS_AT_ONCE }, worker));
    return problems;
  }

  async #judge(input: HostileInput): Promise<string[]> {
    const difference = this.#differenceOf(input);
    const accepted = [...input.outcomes, ...(difference ? instead(difference, input) : [])];
    const outcome = await this.#exchange(input, accepted);
    for (const id of idsIn(outcome)) this.#answered.add(id);
    if (difference?.losesAnswers) this.#unanswered.add(String(firstCallOf(input)));
    if (input.losesAnswers || difference?.losesAnswers)
      for (const id of input.outcomes.flatMap(idsIn)) this.#uncertain.add(id);
    const expected = difference ? instead(difference, input) : input.outcomes;
    const next = await this.#probe();
    const place = `${input.kind}, ${input.name}`;
    return [
      ...(expected.includes(outcome)
        ? []
        : [`${place}: ${outcome || "closed"}, not ${expected.join(" or ")}`]),
      ...(next === "" ? [] : [`after ${place}: ${next}`]),
    ];
  }

  #exchange(input: HostileInput, accepted: readonly string[]): Promise<string> {
    const { service } = this;
    const jsonRefusals = this.#runtime === "node";
    return playInput({ service, input, accepted, jsonRefusals }).catch(
      (error: unknown) => `failed: ${String(error).slice(0, 300)}`,
    );
  }

  /** The next request on a new connection: a call. Returns what is wrong with its answer. */
  async #probe(): Promise<string> {
    this.#probes += 1;
    const id = `probe-${this.#probes}`;
    const steps = [call(id)];
    const expected = `ok:${id}`;
    const input = { kind: "probe", name: id, steps, outcomes: [expected] };
    const outcome = await this.#exchange(input, [expected]);
    this.#answered.add(id);
    return outcome === expected ? "" : `the next call got ${outcome || "closed"}`;
  }

  #differenceOf(input: HostileInput): Difference | undefined {
    return DIFFERENCES.find(
      ({ runtime, kind, inputs }) =>
        runtime === this.#runtime && kind === input.kind && inputs.test(input.name),
    );
  }

  /** Calls that ran unanswered or twice, and those that were answered and didn't run. */
  wrongRuns(): string[] {
    const runs = new Map<string, number>();
    for (const { message, requestId } of this.service.records.all) {
      if (message !== "ran") continue;
      runs.set(String(requestId), (runs.get(String(requestId)) ?? 0) + 1);
    }
    const ran = [...runs].filter(([id, count]) => count > 1 || !this.#mayHaveRun(id));
    const unrun = [...this.#answered, ...this.#unanswered].filter((id) => !runs.has(id));
    return [
      ...ran.map(([id, count]) => `${id} ran ${count}×`),
      ...unrun.map((id) => `${id} didn't`),
    ];
  }

  #mayHaveRun(id: string): boolean {
    return this.#answered.has(id) || this.#uncertain.has(id) || this.#unanswered.has(id);
  }
}

function idsIn(outcome: string): string[] {
  return [...outcome.matchAll(/ok:(\S+)/g)].map(([, id]) => id as string);
}

/** The id of the first call among an input's bytes; chunks may have cut it apart. */
function firstCallOf({ steps }: HostileInput): string | undefined {
  const text = steps.join("").replace(/\r\n[0-9a-f]+\r\n/g, "");
  return /"requestId":"([^"]+)"/.exec(text)?.[1];
}

/** What a difference leads to, with the id of the input's call. */
function instead(difference: Difference, input: HostileInput): string[] {
  const id = firstCallOf(input);
  return difference.outcomes.map((outcome) => outcome.replace(/\bok\b/, `ok:${id}`));
}
