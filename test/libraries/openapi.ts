import { Validator } from "@seriousme/openapi-schema-validator";

/** What the OpenAPI specification's own JSON Schema finds wrong with a document. */
export async function validateOpenApi(document: object): Promise<unknown[]> {
  const result = await new Validator().validate(
    structuredClone(document) as Record<string, unknown>,
  );
  if (result.valid) return [];
  return Array.isArray(result.errors) ? result.errors : [result.errors ?? "invalid"];
}
