import { Validator } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";
import type { RJSFSchema, ValidatorType } from "@rjsf/utils";

/**
 * What the form asks to tell the alternatives of an `anyOf` or `oneOf` apart. It interprets schemas, since the page may not
 * make code. What an input is worth the service alone says.
 */
export const validator: ValidatorType = {
  isValid(schema, formData, rootSchema) {
    try {
      const { $defs, definitions } = rootSchema as RJSFSchema;
      const whole = {
        ...($defs && { $defs }),
        ...(definitions && { definitions }),
        ...(schema as object),
      };
      return new Validator(whole as Schema, "2020-12").validate(formData).valid;
    } catch {
      return false;
    }
  },
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
};
