import {
  _,
  Ajv,
  type Code,
  CodeGen,
  type CodeKeywordDefinition,
  type CodeOptions,
  type KeywordCxt,
  Name,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft04Export from "ajv-draft-04";
import { _Code as RawCode } from "ajv/dist/compile/codegen/code.js";
import { type Candidate, type FillPlan, planDefaults } from "./schema/defaults.ts";
import { createFill } from "./schema/fill.ts";
import { encodeFill, type FillData } from "./schema/fill-data.ts";
import { formatOf, FORMATS } from "./schema/known-formats.ts";
import {
  type Dialect,
  dialectOf,
  idKeyword,
  metaschemaDialect,
  METASCHEMAS,
} from "./schema/dialect.ts";
import { isArray, isObject, keysOf, parseJson, stringifyJson } from "./json.ts";
import { Patterns } from "./schema/pattern.ts";
import { MAX_ISSUES } from "./protocol.ts";
import { readSchemaText, type SchemaDocument, type SchemaNode } from "./schema/document.ts";
import { shortenOwnTests } from "./schema/own-tests.ts";
import { METASCHEMA_KEYWORD, placesOf, rewriteSchema } from "./schema/rewrite.ts";
import { FUNCTIONS, GLOBALS } from "./schema/runtime.ts";
import { isKeyword } from "./schema/shape.ts";
import { constantValidator, createValidator, type Validate } from "./schema/validator.ts";

export interface Compiled {
  validate: Validate;
  /** The same validator as text, where the compiler writes them. */
  code?: ValidatorCode;
  /** Unknown keywords and formats, which are not checked: `keyword x-ms-enum`, `format uint32`. */
  annotations: readonly string[];
  /** What the schema's author should know though it is accepted, such as a pattern that may backtrack. */
  warnings: readonly string[];
}

export type CompileResult = Compiled | { problems: string[] };

export interface CompileOptions {
  /**
   * Whether `validate` fills the defaults of properties into its argument (contract §5). A value that is valid only as it
   * came is passed as it came.
   * @default false
   */
  fillDefaults?: boolean;
}

/** A validator as text, from which it can be made where code generation is forbidden. */
export interface ValidatorCode {
  /** An expression of the check, over the names of the validators' runtime. */
  check: string;
  fill: FillData | undefined;
}

/** Writes the code of a check that this engine has compiled, as a CommonJS module. */
export type WriteCode = (engine: Ajv, check: ValidateFunction) => string;

export interface CompilerOptions {
  /** Makes the compiler write its validators as text, too. @default none */
  writeCode?: WriteCode;
}

export interface SchemaCompiler {
  /** Compiles a JSON Schema, or says every reason why it can't be. Equal schemas share a validator. */
  compile(schema: unknown, options?: CompileOptions): CompileResult;
}

/** Compiles the schemas of a pack. Its validators don't need it: let go of it after the last one. */
export function createSchemaCompiler({ writeCode }: CompilerOptions = {}): SchemaCompiler {
  // A key of both, made for each schema, would be copied and hashed anew: 3 % of a boot with 1,000 tools.
  const filling = new Map<string, CompileResult>();
  const plain = new Map<string, CompileResult>();
  const engines = new Engines(new Patterns(), writeCode);
  return {
    compile(schema, { fillDefaults = false } = {}) {
      const text = schemaText(schema);
      if (typeof text !== "string") return text;
      const results = fillDefaults ? filling : plain;
      let result = results.get(text);
      if (result === undefined) {
        result = compileText(text, fillDefaults, engines);
        results.set(text, result);
      }
      return result;
    },
  };
}

function schemaText(schema: unknown): string | { problems: string[] } {
  if (typeof schema !== "boolean" && !isObject(schema)) {
    return { problems: ["a schema must be an object, true or false"] };
  }
  try {
    return stringifyJson(schema);
  } catch (error) {
    return { problems: [`the schema can't be written as JSON: ${(error as Error).message}`] };
  }
}

function compileText(text: string, fillDefaults: boolean, engines: Engines): CompileResult {
  const schema = parseJson(text) as SchemaNode | boolean;
  if (typeof schema === "boolean") return constant(schema, engines);
  try {
    const { patterns } = engines;
    const document = readSchemaText(text, (source) => patternError(source, patterns));
    if (document.problems.length > 0) return { problems: document.problems.map(problemText) };
    const warnings = [...dialectWarnings(schema, document), ...patternWarnings(document, patterns)];
    const plan = fillDefaults
      ? planDefaults(document, (source) => patterns.get(source))
      : undefined;
    rewriteSchema(document);
    const { check, code } = engines.compile(document);
    const start = plan?.complete(usableDefaults(plan, document, engines));
    return {
      validate: createValidator(check, start && createFill(start)),
      annotations: annotationsOf(document),
      warnings,
      ...(code !== undefined && { code: { check: code, fill: start && encodeFill(start) } }),
    };
  } catch (error) {
    return { problems: [compileProblem(error)] };
  }
}

function constant(valid: boolean, { writeCode }: Engines): Compiled {
  return {
    validate: constantValidator(valid),
    annotations: [],
    warnings: [],
    ...(writeCode && { code: { check: String(valid), fill: undefined } }),
  };
}

function patternError(source: string, patterns: Patterns): string | undefined {
  try {
    patterns.get(source);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, "");
  }
}

function dialectWarnings({ $schema }: SchemaNode, { dialect }: SchemaDocument): string[] {
  if (typeof $schema !== "string" || dialectOf($schema) === dialect) return [];
  const why =
    dialectOf($schema) === undefined ? "is not known" : "is not what the schema is valid as";
  return [`$schema ${stringifyJson($schema)} ${why}: read as ${dialect}`];
}

function patternWarnings(document: SchemaDocument, patterns: Patterns): string[] {
  return [...document.patterns]
    .filter((source) => !patterns.get(source).isBounded)
    .map(
      (source) =>
        `pattern ${stringifyJson(source)} may backtrack for long: no time limit reaches it`,
    );
}

function problemText({ pointer, text }: { pointer: string; text: string }): string {
  return `${pointer === "" ? "the schema" : pointer}: ${text}`;
}

function compileProblem(error: unknown): string {
  const { name, message } = error as Error;
  if (name === "EvalError")
    return "this runtime forbids generating code, which compiling a schema takes";
  if (name === "RangeError")
    return "the schema is nested too deeply, or refers to itself without end";
  return message;
}

function annotationsOf({ dialect, keywords, formats }: SchemaDocument): string[] {
  const unknown = [...keywords].filter((keyword) => !isKeyword(dialect, keyword));
  const unchecked = [...formats].filter((format) => !FORMATS.has(format));
  return [
    ...unknown.map((name) => `keyword ${name}`),
    ...unchecked.map((name) => `format ${name}`),
  ];
}

/** The defaults that satisfy the schemas of their properties. */
function usableDefaults(
  plan: FillPlan,
  document: SchemaDocument,
  engines: Engines,
): Set<Candidate> {
  const usable = new Set(plan.candidates.filter(({ schema, value }) => isPlainlyOf(schema, value)));
  const open = plan.candidates.filter(({ schema }) => !isPlain(schema));
  if (open.length === 0) return usable;
  const check = engines.compileJudge(
    document,
    open.map(({ schema }) => schema),
  );
  try {
    check(open.map(({ value }) => value));
  } catch {
    return usable;
  }
  const failed = new Set(
    check.errors?.map(({ instancePath }) => Number(instancePath.split("/")[1])),
  );
  for (const [i, candidate] of open.entries()) if (!failed.has(i)) usable.add(candidate);
  return usable;
}

/** Whether a schema asks for a type and nothing else, as most with a default do: that needs no compiling. */
function isPlain(schema: SchemaNode): boolean {
  return typeof schema.type === "string" && keysOf(schema).length === 1;
}

function isPlainlyOf(schema: SchemaNode, value: unknown): boolean {
  if (!isPlain(schema)) return false;
  switch (schema.type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    default:
      return typeof value === schema.type;
  }
}

type Instance = Ajv | Ajv2019 | Ajv2020;
type AjvClass = new (options: Options) => Instance;

// A CommonJS module's default export is the module itself in some runtimes and bundlers.
const draft04 = unwrapDefault(draft04Export) as unknown as AjvClass;

const CLASSES: Readonly<Record<Dialect, AjvClass>> = {
  "2020-12": Ajv2020,
  "2019-09": Ajv2019,
  "draft-07": Ajv,
  "draft-06": Ajv,
  "draft-04": draft04,
};

function unwrapDefault<T extends object>(module: T): T {
  return "default" in module ? (module.default as T) : module;
}

/** Ajv instances: one shared by all schemas of a dialect that go without names, a new one for each that needs its own. */
class Engines {
  readonly patterns: Patterns;
  readonly writeCode: WriteCode | undefined;
  readonly #shared = new Map<string, Instance>();

  constructor(patterns: Patterns, writeCode: WriteCode | undefined) {
    this.patterns = patterns;
    this.writeCode = writeCode;
  }

  compile(document: SchemaDocument): { check: ValidateFunction; code: string | undefined } {
    const engine = this.#engineFor(document, "");
    if (document.needsIds && this.writeCode) refuseUnwritableNames(document);
    const check = engine.compile(document.root);
    // A schema without a name is registered under the empty one.
    engine.removeSchema(document.root).removeSchema("");
    return { check, code: this.writeCode && moduleValue(this.writeCode(engine, check)) };
  }

  /** A validator of an array whose items are each judged by a subschema of the document. */
  compileJudge(document: SchemaDocument, schemas: readonly SchemaNode[]): ValidateFunction {
    const engine = this.#engineFor(document, "judge");
    const keyword = document.dialect === "2020-12" ? "prefixItems" : "items";
    const referring = schemas.filter(refers);
    if (referring.length === 0) return engine.compile({ [keyword]: schemas });
    const id = document.root[idKeyword(document.dialect)];
    const name = typeof id === "string" ? id.replace(/#$/, "") : "schema:root";
    const places = placesOf(document.root, new Set(referring));
    const items = schemas.map((schema) => {
      const place = places.get(schema);
      return place === undefined ? schema : { $ref: `${name}#${place}` };
    });
    engine.addSchema(document.root, name);
    const check = engine.compile({ [keyword]: items });
    engine.removeSchema(name).removeSchema("");
    return check;
  }

  /** An instance that knows the formats of a document: to bound them all would take half as long as all else of a small pack. */
  #engineFor(document: SchemaDocument, use: string): Instance {
    const engine = document.needsIds ? createInstance(document, this) : this.#share(document, use);
    for (const name of document.formats) {
      if (FORMATS.has(name)) engine.addFormat(name, formatOf(name));
    }
    return engine;
  }

  #share(document: SchemaDocument, use: string): Instance {
    const key = `${document.dialect} ${tracksEvaluated(document)} ${use}`;
    let engine = this.#shared.get(key);
    if (engine === undefined) this.#shared.set(key, (engine = createInstance(document, this)));
    return engine;
  }
}

/** Whether a schema holds a reference, which only its document can resolve. */
function refers(schema: unknown): boolean {
  if (isArray(schema)) return schema.some(refers);
  if (!isObject(schema)) return false;
  return keysOf(schema).some((key) => /^\$\w*[rR]ef$/.test(key) || refers(schema[key]));
}

function tracksEvaluated({ keywords }: SchemaDocument): boolean {
  return keywords.has("unevaluatedItems") || keywords.has("unevaluatedProperties");
}

function codeOptions({ patterns, writeCode }: Engines): CodeOptions {
  const regExp = (source: string) => {
    const pattern = patterns.get(source);
    return { test: pattern.test, toString: () => source } as unknown as RegExp;
  };
  return {
    regExp: Object.assign(regExp, { code: "new RegExp" }),
    source: writeCode !== undefined,
    // It takes a fifth of a compilation, and a runtime does the same to what it runs often.
    optimize: writeCode !== undefined,
  };
}

/** With a name, ajv puts it into a comment of the code, unescaped. */
function refuseUnwritableNames({ nodes, dialect }: SchemaDocument): void {
  const names = [...nodes.keys()].map((node) => node[idKeyword(dialect)]);
  const name = names.find((id) => typeof id === "string" && id.includes("*/"));
  if (name === undefined) return;
  throw new Error(`${idKeyword(dialect)} ${stringifyJson(name)} holds */: no code can be written`);
}

/** The expression of what a CommonJS module exports. */
function moduleValue(text: string): string {
  return `((module) => {${text};return module.exports;})({})`;
}

function createInstance(document: SchemaDocument, engines: Engines): Instance {
  const engine = new CLASSES[document.dialect]({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    ownProperties: true,
    logger: false,
    validateSchema: false,
    meta: false,
    code: {
      ...codeOptions(engines),
      // With an $id, ajv would put it into a comment of the code, unescaped.
      ...(document.needsIds ? {} : { process: shielded }),
    },
  });
  Object.assign(engine, { GLOBALS });
  // Keeping count of what was evaluated costs every schema of a new draft, and few ask for it.
  if (!document.needsIds && !tracksEvaluated(document)) engine.opts.unevaluated = false;
  else keepOwnNames(engine);
  replaceKeywords(engine, engines);
  return engine;
}

function shielded(code: string): string {
  return `const {${keysOf(GLOBALS).join()}} = self.GLOBALS;${code}`;
}

function isStructure(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Values of an `enum` that are compared one by one; more are looked up. */
const MAX_COMPARED_VALUES = 16;

const { assign, forOf, forRange, var: declare } = CodeGen.prototype;
const ERRORS = new Name("errors");
const ERROR_LIST = new Name("vErrors");

/** Loops that have failed for good at the first error of theirs: enough errors end them. */
const FAILING_LOOPS = [
  "additionalItems",
  "additionalProperties",
  "items",
  "patternProperties",
  "propertyNames",
  "required",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/**
 * Gives an instance keywords of our own: bounded in cost, right about decimals and about every member's name. What stands in for a
 * method of ajv's generator is made once: one made for each schema would keep, until V8's next full collection, all that was
 * generated for it.
 */
function replaceKeywords(engine: Instance, engines: Engines): void {
  if (engines.writeCode) nameValues(engine);
  for (const keyword of FAILING_LOOPS) boundLoops(engine, keyword, endLoop);
  for (const keyword of ["properties", "required"]) {
    replaceCode(engine, keyword, ({ gen }, original) => shortenOwnTests(gen, original));
  }
  // One good item is enough for `contains`: its loop must go on, but needn't keep every error.
  boundLoops(engine, "contains", dropErrors);
  replaceCode(engine, "minLength", lengthCode);
  replaceCode(engine, "maxLength", lengthCode);
  replaceCode(engine, "uniqueItems", uniqueItemsCode);
  replaceCode(engine, "multipleOf", multipleOfCode);
  replaceCode(engine, "enum", enumCode);
  replaceCode(engine, "const", constCode);
  engine.addKeyword({
    keyword: METASCHEMA_KEYWORD,
    schemaType: "string",
    error: { message: ({ schema }) => `must be a schema by ${schema}` },
    code: (cxt: KeywordCxt) => metaschemaCode(cxt, engines),
  });
}

/** Has written code refer to what it doesn't hold by the names that stand for it in the validators' runtime. */
function nameValues({ scope }: Instance): void {
  const value = scope.value.bind(scope);
  scope.value = (name, given) => {
    const prefix = typeof name === "string" ? name : name.prefix;
    const { ref, key } = given;
    switch (prefix) {
      // As a literal, a member named __proto__ would be none.
      case "schema":
        return value(name, { ...given, code: _`parseJson(${stringifyJson(ref)})` });
      case "formats":
        return value(name, { ...given, code: _`formatOf(${String(key)})` });
      case "pattern":
        return value(name, { ...given, code: _`patternOf(${String(ref)})` });
      default:
        return value(name, given);
    }
  };
}

/** A function of the validators' runtime, for the code of a keyword. */
function callee({ gen }: KeywordCxt, name: keyof typeof FUNCTIONS): Name {
  return gen.scopeValue("func", { ref: FUNCTIONS[name], code: new Name(name) });
}

/** A text is counted only where the number of its code units, of which a character takes one or two, leaves it open. */
function lengthCode(cxt: KeywordCxt): void {
  const limit = cxt.schema as number;
  const units = _`${cxt.data}.length`;
  const characters = _`${callee(cxt, "countCharacters")}(${cxt.data})`;
  cxt.fail(
    cxt.keyword === "maxLength"
      ? _`${units} > ${limit} && (${units} > ${2 * limit} || ${characters} > ${limit})`
      : _`${units} < ${limit} || (${units} < ${2 * limit} && ${characters} < ${limit})`,
  );
}

function uniqueItemsCode(cxt: KeywordCxt): void {
  if (cxt.schema !== true) return;
  const pair = cxt.gen.const("pair", _`${callee(cxt, "duplicateItems")}(${cxt.data})`);
  cxt.setParams({ i: _`${pair}[1]`, j: _`${pair}[0]` });
  cxt.fail(_`${pair} !== undefined`);
}

function multipleOfCode(cxt: KeywordCxt): void {
  const divisor = cxt.schema as number;
  const isMultiple = cxt.gen.scopeValue("func", {
    ref: FUNCTIONS.multipleTest(divisor),
    code: _`multipleTest(${divisor})`,
  });
  cxt.fail(_`!${isMultiple}(${cxt.data})`);
}

function enumCode(cxt: KeywordCxt, original: () => void): void {
  const values = cxt.schema as unknown[];
  const isShort = values.length > 0 && values.length <= MAX_COMPARED_VALUES;
  if (isShort && !values.some(isStructure)) return original();
  const isOneOf = cxt.gen.scopeValue("func", {
    ref: FUNCTIONS.oneOf(values),
    code: _`oneOf(parseJson(${stringifyJson(values)}))`,
  });
  cxt.fail(_`!${isOneOf}(${cxt.data})`);
}

function constCode(cxt: KeywordCxt, original: () => void): void {
  if (!isStructure(cxt.schema)) return original();
  cxt.fail(_`!${callee(cxt, "equalJson")}(${cxt.data}, ${cxt.schemaCode})`);
}

function metaschemaCode(cxt: KeywordCxt, engines: Engines): void {
  const { check, code } = metaschemaCheck(cxt.schema as string, engines);
  const judge = cxt.gen.scopeValue("func", { ref: check, ...(code && { code }) });
  cxt.fail(_`!${judge}(${cxt.data})`);
}

/** What judges schemas by a metaschema, or by a part of one. */
function metaschemaCheck(
  uri: string,
  engines: Engines,
): { check: ValidateFunction; code: Code | undefined } {
  const dialect = metaschemaDialect(uri.replace(/#.*/, ""))!;
  const name = METASCHEMAS[dialect];
  const engine = new CLASSES[dialect]({
    strict: false,
    logger: false,
    validateFormats: false,
    code: codeOptions(engines),
  });
  const { writeCode } = engines;
  if (writeCode) nameValues(engine);
  replaceCode(engine, "minLength", lengthCode);
  replaceCode(engine, "uniqueItems", uniqueItemsCode);
  if (dialect === "draft-06") {
    const { schema } = engine.getSchema(METASCHEMAS["draft-07"])!;
    engine.addSchema({ ...(schema as SchemaNode), $id: name });
  }
  const check = engine.compile({ $ref: uri.replace(/^https?:/, name.replace(/:.*/, ":")) });
  return { check, code: writeCode && new RawCode(moduleValue(writeCode(engine, check))) };
}

type Emit = (cxt: KeywordCxt, original: () => void) => void;

function replaceCode(engine: Instance, keyword: string, emit: Emit): void {
  const definition = engine.getKeyword(keyword);
  if (typeof definition !== "object") return;
  const { code } = definition as CodeKeywordDefinition;
  if (typeof code !== "function") return;
  Object.assign(definition, {
    code: (cxt: KeywordCxt, type?: string) => emit(cxt, () => code(cxt, type)),
  });
}

/**
 * Has an instance remember evaluated properties in objects without a prototype: in others, a name that every object
 * inherits would count as evaluated.
 */
function keepOwnNames(engine: Instance): void {
  for (const keyword of keysOf(engine.RULES.all)) {
    replaceCode(engine, keyword, ({ gen }, original) => {
      Object.assign(gen, OWN_NAMES);
      original();
    });
  }
}

const NO_NAMES = _`{__proto__: null}`;

const OWN_NAMES: Pick<CodeGen, "var" | "assign"> = {
  var(this: CodeGen, name, rhs, constant) {
    const isNew = name === "props" && String(rhs) === "{}";
    return declare.call(this, name, isNew ? NO_NAMES : rhs, constant);
  },
  assign(this: CodeGen, name, rhs, sideEffects) {
    const isNew = String(rhs) === `${name} || {}`;
    return assign.call(this, name, isNew ? _`${name} || ${NO_NAMES}` : rhs, sideEffects);
  },
};

type Guard = (gen: CodeGen, errorsBefore: Name) => void;

const endLoop: Guard = (gen, before) => {
  gen.if(_`${ERRORS} - ${before} >= ${MAX_ISSUES}`, () => gen.break());
};

const dropErrors: Guard = (gen, before) => {
  gen.if(_`${ERRORS} - ${before} > ${MAX_ISSUES}`, () => {
    gen.assign(ERRORS, _`${before} + ${MAX_ISSUES}`);
    gen.assign(_`${ERROR_LIST}.length`, ERRORS);
  });
};

type Loops = Pick<CodeGen, "forRange" | "forOf" | "forIn">;

/** Puts a guard at the start of each round of the loops that a keyword generates. */
function boundLoops(engine: Instance, keyword: string, guard: Guard): void {
  const guardedLoops = loopsGuardedBy(guard);
  replaceCode(engine, keyword, ({ gen }, original) => {
    const { forRange, forOf, forIn } = gen;
    Object.assign(gen, guardedLoops);
    try {
      original();
    } finally {
      Object.assign(gen, { forRange, forOf, forIn });
    }
  });
}

function loopsGuardedBy(guard: Guard): Loops {
  const guarded = (gen: CodeGen, body: (name: Name) => void): ((name: Name) => void) => {
    const before = gen.const("before", ERRORS);
    return (name) => {
      guard(gen, before);
      body(name);
    };
  };
  return {
    forRange(this: CodeGen, name, from, to, body, ...rest) {
      return forRange.call(this, name, from, to, guarded(this, body), ...rest);
    },
    forOf(this: CodeGen, name, list, body, ...rest) {
      return forOf.call(this, name, list, guarded(this, body), ...rest);
    },
    forIn(this: CodeGen, name, object, body) {
      return forOwn(this, name, object, guarded(this, body));
    },
  };
}

/** Goes through the names of an object's own members. ajv would make a list of them for each object. */
function forOwn(gen: CodeGen, given: string | Name, object: Code, body: (name: Name) => void) {
  const name = typeof given === "string" ? gen.name(given) : given;
  return gen.for(_`const ${name} in ${object}`, () =>
    gen.if(_`Object.hasOwn(${object}, ${name})`, () => body(name)),
  );
}
