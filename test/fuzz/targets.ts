import type { FuzzTarget } from "./target.ts";
import { messageTarget } from "./targets/message.ts";
import { packIndexTarget } from "./targets/pack-index.ts";
import { recordsTarget } from "./targets/records.ts";
import { transportTarget } from "./targets/transport.ts";

export const targets: readonly FuzzTarget[] = [
  messageTarget,
  packIndexTarget,
  transportTarget,
  recordsTarget,
];
