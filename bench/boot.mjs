// From spawn to listening, with few and with many tools, against importing the same modules and starting a server.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SCHEMAS, toolId, toolInput, writePack } from "./lib/generated-pack.mjs";
import { readOptions } from "./lib/options.mjs";
import { prepare } from "./lib/prepare.mjs";
import { numberText, print, printTable, spreadText } from "./lib/print.mjs";
import { residentBytes } from "./lib/process-figures.mjs";
import { environment, saveResults } from "./lib/results.mjs";
import { untilIdle, withServer } from "./lib/server.mjs";
import { scriptCommand, serviceCommand } from "./lib/service-command.mjs";
import { summarize, summarizeMembers } from "./lib/statistics.mjs";
import { withFolder } from "./lib/temporary-folder.mjs";
import { measureTurns } from "./lib/turns.mjs";
import { FLOOR, interleave, OURS } from "./lib/variants.mjs";
import { messageBody } from "./lib/workloads.mjs";

const COUNTS = [1, 100, 1_000];
const MANY = COUNTS.at(-1);
/** After 15 to 60 s in which nothing is called, V8 gives back what a boot has left behind. */
const UNUSED_MS = 90_000;

const options = readOptions({ rounds: 5, unusedRounds: 3, warmPasses: 5, passes: 10 });
const { runtime, rounds, unusedRounds, warmPasses, passes } = options;

/** The command lines of both servers for a pack of each size, written below `folder`. */
function bootCommands(host, folder, schemas) {
  const commands = new Map();
  for (const count of COUNTS) {
    const index = writePack(join(folder, `${schemas}-${count}`), count, schemas);
    commands.set(`${FLOOR} ${count}`, scriptCommand(host, "bare-boot.mjs", index));
    commands.set(`${OURS} ${count}`, serviceCommand(host, index));
  }
  return commands;
}

async function compareBoots(commands) {
  const measured = await interleave(commands, rounds, measureBoot);
  return {
    ...Object.fromEntries(COUNTS.map((count) => [count, compareCount(measured, count)])),
    kibibytesPerTool: perTool(measured),
  };
}

/** The servers of a round side by side: they do nothing. */
async function compareUnused(commands) {
  const names = [FLOOR, OURS].flatMap((variant) => [`${variant} 1`, `${variant} ${MANY}`]);
  const measured = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < unusedRounds; round++) {
    const memories = await Promise.all(names.map((name) => measureUnused(commands.get(name))));
    names.forEach((name, i) => measured.get(name).push(memories[i]));
  }
  return perTool(measured);
}

function measureUnused(command) {
  return withServer(command, async ({ pid }) => {
    await sleep(UNUSED_MS);
    return { residentKiB: residentBytes(pid) / 1_024 };
  });
}

function measureBoot(command) {
  return withServer(command, async ({ pid, bootMs }) => {
    await untilIdle(pid);
    return { bootMs, residentKiB: residentBytes(pid) / 1_024 };
  });
}

function compareCount(measured, count) {
  const bare = measured.get(`${FLOOR} ${count}`);
  const ours = measured.get(`${OURS} ${count}`);
  const times = ours.map(({ bootMs }, round) => bootMs / bare[round].bootMs);
  return {
    bare: summarizeMembers(bare),
    ours: summarizeMembers(ours),
    timesBare: summarize(times),
  };
}

/** What a tool adds to the memory of each server, its module included. */
function perTool(measured) {
  return { bare: perToolOf(measured, FLOOR), ours: perToolOf(measured, OURS) };
}

function perToolOf(measured, variant) {
  const many = measured.get(`${variant} ${MANY}`);
  const one = measured.get(`${variant} 1`);
  return summarize(
    many.map(({ residentKiB }, round) => (residentKiB - one[round].residentKiB) / (MANY - 1)),
  );
}

function reportBoots(schemas, { kibibytesPerTool, ...byCount }) {
  print(`\n${runtime}, boot with ${schemas} schemas, ${rounds} rounds`);
  const rows = Object.entries(byCount).map(([count, { bare, ours, timesBare }]) => [
    count,
    spreadText(bare.bootMs),
    spreadText(ours.bootMs),
    spreadText(timesBare),
    spreadText(ours.residentKiB),
  ]);
  printTable(["tools", "bare ms", "ours ms", "× bare", "ours RSS KiB"], rows);
  reportMemory("after the boot", kibibytesPerTool);
}

function reportMemory(when, { bare, ours }) {
  print(`  KiB per tool at ${MANY}, ${when}: ${spreadText(ours)}; bare: ${spreadText(bare)}`);
}

/**
 * A call's time with every tool of a large pack called in turn, and with one of them called as often. On the floor, too: any
 * server reads a thousand shapes of input, and runs a thousand functions, slower than one.
 */
async function compareTurns(host, folder) {
  const schemas = SCHEMAS.distinct;
  const index = join(folder, `${schemas}-${MANY}`, "index.json");
  const commands = {
    [FLOOR]: scriptCommand(host, "bare-boot.mjs", index),
    [OURS]: serviceCommand(host, index),
  };
  const bodies = Array.from({ length: MANY }, (_, number) =>
    messageBody(toolId(number), toolInput(number, schemas)),
  );
  const turns = {};
  for (const [variant, command] of Object.entries(commands)) {
    turns[variant] = await withServer(command, ({ port }) =>
      measureTurns(port, bodies, { warmPasses, passes }),
    );
  }
  return turns;
}

function reportTurns(turns) {
  print(`\n${runtime}, median µs of a call over ${MANY} tools in turn, and of one`);
  const rows = Object.entries(turns).map(([variant, { inTurnUs, repeatedUs }]) => [
    variant,
    ...[inTurnUs, repeatedUs, inTurnUs - repeatedUs].map(numberText),
  ]);
  printTable(["server", "in turn", "one", "more"], rows);
}

const host = { runtime, binary: await prepare(runtime) };
await withFolder(async (folder) => {
  const parameters = { rounds, unusedRounds, warmPasses, passes };
  for (const schemas of Object.values(SCHEMAS)) {
    const commands = bootCommands(host, folder, schemas);
    const boots = await compareBoots(commands);
    reportBoots(schemas, boots);
    const unusedKibibytesPerTool = await compareUnused(commands);
    reportMemory(`after ${UNUSED_MS / 1_000} s without a call`, unusedKibibytesPerTool);
    const entry = { environment: environment(host), parameters, ...boots, unusedKibibytesPerTool };
    saveResults(options, "boot", { [schemas]: entry });
  }
  const turns = await compareTurns(host, folder);
  reportTurns(turns);
  const entry = { environment: environment(host), parameters, ...turns };
  saveResults(options, "boot", { turns: entry });
});
