import type { Case } from "./case.ts";
import { admissionCases } from "./cases/admission.ts";
import { bootCases } from "./cases/boot.ts";
import { configurationCases } from "./cases/configuration.ts";
import { deadlineCases } from "./cases/deadlines.ts";
import { drainCases } from "./cases/drain.ts";
import { environmentCases } from "./cases/environment.ts";
import { faultCases } from "./cases/faults.ts";
import { httpCases } from "./cases/http.ts";
import { indexCases } from "./cases/index-file.ts";
import { jsonCases } from "./cases/json.ts";
import { messageCases } from "./cases/messages.ts";
import { moduleCases } from "./cases/modules.ts";
import { outcomeCases } from "./cases/outcomes.ts";
import { recordCases } from "./cases/records.ts";
import { transportCases } from "./cases/transport.ts";
import { validationCases } from "./cases/validation.ts";

/** Every case of the contract. */
export const cases: readonly Case[] = [
  ...transportCases,
  ...admissionCases,
  ...httpCases,
  ...messageCases,
  ...jsonCases,
  ...outcomeCases,
  ...indexCases,
  ...moduleCases,
  ...validationCases,
  ...deadlineCases,
  ...configurationCases,
  ...bootCases,
  ...environmentCases,
  ...drainCases,
  ...faultCases,
  ...recordCases,
];
