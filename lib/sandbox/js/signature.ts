import path from 'node:path/posix';
import type * as t from '@babel/types';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import { type DocBlock, readDocBlock } from './jsdoc';
import { type Module, readModule } from './module';
import { type FindType, keyName, literalValue, schemaOfDocType, schemaOfType } from './type-schema';

/** The description and schema of a function tool, and how the arguments of a call are passed to it. */
export interface Signature {
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The parameters in order; each gets the argument of its name. `undefined` means that one object gets all arguments. */
  readonly names: readonly string[] | undefined;
  /** `undefined` if the top level of the file does not declare the function. */
  readonly line: number | undefined;
}

export type SignatureReading =
  | { readonly ok: true; readonly signature: Signature }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

/**
 * Reads the signature of a function by parsing its file. A single parameter with fields (a type literal, an interface, a
 * destructured object, JSDoc `@param args.name`) gets all arguments as one object. Otherwise each parameter gets the
 * argument of its name.
 */
export function readSignature(folder: Folder, file: string, functionName: string): SignatureReading {
  const module = moduleOf(folder, file);
  if (!module?.ok) return { ok: false, ...(module ?? { message: `There is no file '${file}'.`, line: 1, column: 1 }) };
  const found = module.functions.get(functionName);
  const doc = readDocBlock(found?.doc ?? '');
  const line = found?.line ?? 1;
  // The function is imported, or is the result of a call, so its parameters are unknown.
  if (found?.params === undefined) {
    return {
      ok: true,
      signature: { description: doc.description, inputSchema: { type: 'object' }, names: undefined, line: found?.line },
    };
  }
  const find = finder(folder, file, module, { left: maxLookups });
  const params = found.params.filter((param) => !(param.type === 'Identifier' && param.name === 'this'));
  const rest = params.find((param) => param.type === 'RestElement');
  if (rest !== undefined) {
    const at = rest.loc?.start;
    const message = `Function tool '${functionName}' has a rest parameter, which no model can fill. Give it named parameters.`;
    return { ok: false, message, line: at?.line ?? line, column: (at?.column ?? 0) + 1 };
  }
  const [only] = params;
  const whole = params.length === 1 && only !== undefined ? objectParam(only, doc, find) : undefined;
  if (whole !== undefined) {
    return { ok: true, signature: { description: doc.description, inputSchema: whole, names: undefined, line } };
  }
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const names: string[] = [];
  for (const [index, param] of params.entries()) {
    const field = readParam(param, doc, find, `arg${index + 1}`);
    names.push(field.name);
    properties[field.name] = field.schema;
    if (field.isRequired) required.push(field.name);
  }
  const inputSchema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return { ok: true, signature: { description: doc.description, inputSchema, names, line } };
}

/** Returns the fault in the parameters of a hook that is called with `given`, or `undefined` when none is found. */
export function hookProblem(
  folder: Folder,
  file: string,
  functionName: string,
  given: readonly string[],
): { readonly message: string; readonly line: number } | undefined {
  const module = moduleOf(folder, file);
  const found = module?.ok ? module.functions.get(functionName) : undefined;
  const needed = found?.params?.filter((param) => isNeeded(param)) ?? [];
  if (found === undefined || needed.length <= given.length) return undefined;
  return {
    message: `it is called with (${given.join(', ')}) but needs ${needed.length} parameters.`,
    line: found.line,
  };
}

function isNeeded(param: t.Node): boolean {
  if (param.type === 'RestElement' || param.type === 'AssignmentPattern') return false;
  return !(param.type === 'Identifier' && (param.optional === true || param.name === 'this'));
}

/** Returns the schema of a parameter that gets all arguments as one object, or `undefined` for any other parameter. */
function objectParam(param: t.Node, doc: DocBlock, find: FindType): JsonObject | undefined {
  const target = param.type === 'AssignmentPattern' ? param.left : param;
  const annotation = 'typeAnnotation' in target ? target.typeAnnotation : undefined;
  const typed = annotation ? schemaOfType(annotation, find) : undefined;
  const schema = typed?.type === 'object' ? typed : undefined;
  if (target.type === 'ObjectPattern') return destructured(target, schema, doc, find);
  if (schema !== undefined) return withDocs(schema, doc, target.type === 'Identifier' ? target.name : '');
  if (target.type !== 'Identifier') return undefined;
  const fields = doc.params.filter((one) => one.path[0] === target.name && one.path.length === 2);
  if (fields.length > 0) return fieldsSchema(fields, find);
  const own = doc.params.find((one) => one.path[0] === target.name && one.path.length === 1);
  const docType = own?.type === undefined ? undefined : schemaOfDocType(own.type, find);
  return docType?.type === 'object' ? docType : undefined;
}

function destructured(
  pattern: t.ObjectPattern,
  typed: JsonObject | undefined,
  doc: DocBlock,
  find: FindType,
): JsonObject {
  const properties: Record<string, Json> = isRecord(typed?.properties) ? { ...objectOf(typed.properties) } : {};
  const required = new Set(Array.isArray(typed?.required) ? typed.required.map(String) : []);
  for (const property of pattern.properties) {
    if (property.type !== 'ObjectProperty') continue;
    const name = keyName(property.key);
    if (name === undefined) continue;
    const field = doc.params.find((one) => one.path.at(-1) === name && one.path.length <= 2);
    const known = objectOf(properties[name] ?? (field?.type === undefined ? {} : schemaOfDocType(field.type, find)));
    const hasDefault = property.value.type === 'AssignmentPattern';
    const fallback = property.value.type === 'AssignmentPattern' ? literalValue(property.value.right) : undefined;
    properties[name] = {
      ...(Object.keys(known).length > 0 ? known : schemaOfValue(fallback)),
      ...(field !== undefined && field.description !== '' && { description: field.description }),
      ...(fallback !== undefined && { default: fallback }),
    };
    if (hasDefault) required.delete(name);
    else if (typed === undefined && field?.isOptional !== true) required.add(name);
  }
  // `{ a, ...rest }` accepts further fields, and so does a type of which only a part is known.
  const isOpen = pattern.properties.some((property) => property.type === 'RestElement');
  const rest = typed?.additionalProperties ?? (isOpen ? true : undefined);
  return {
    type: 'object',
    properties,
    ...(required.size > 0 && { required: [...required] }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
}

function fieldsSchema(fields: DocBlock['params'], find: FindType): JsonObject {
  const properties: Record<string, Json> = {};
  for (const field of fields) properties[field.path[1] ?? ''] = docField(field, find);
  const required = fields.filter((field) => !field.isOptional).map((field) => field.path[1] ?? '');
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function docField(field: DocBlock['params'][number], find: FindType): JsonObject {
  const fallback = field.fallback === undefined ? undefined : (parseJson(field.fallback) ?? field.fallback);
  return {
    ...(field.type === undefined ? schemaOfValue(fallback) : schemaOfDocType(field.type, find)),
    ...(field.description !== '' && { description: field.description }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

/** Adds descriptions from `@param args.name` to fields that have none. */
function withDocs(schema: JsonObject, doc: DocBlock, name: string): JsonObject {
  if (!isRecord(schema.properties)) return schema;
  const properties: Record<string, Json> = { ...objectOf(schema.properties) };
  for (const field of doc.params) {
    const [root, key = ''] = field.path;
    const known = objectOf(properties[key] ?? null);
    if (root === name && key in properties && known.description === undefined && field.description !== '') {
      properties[key] = { ...known, description: field.description };
    }
  }
  return { ...schema, properties };
}

function readParam(param: t.Node, doc: DocBlock, find: FindType, unnamed: string) {
  const target = param.type === 'AssignmentPattern' ? param.left : param;
  const fallback = param.type === 'AssignmentPattern' ? literalValue(param.right) : undefined;
  const name = target.type === 'Identifier' ? target.name : unnamed;
  const field = doc.params.find((one) => one.path.length === 1 && one.path[0] === name);
  const annotation = 'typeAnnotation' in target ? target.typeAnnotation : undefined;
  const typed = annotation ? schemaOfType(annotation, find) : undefined;
  const isOptional = target.type === 'Identifier' && target.optional === true;
  const documented = field === undefined ? {} : docField(field, find);
  return {
    name,
    isRequired: param.type !== 'AssignmentPattern' && !isOptional && field?.isOptional !== true,
    schema: {
      ...(typed ?? (field?.type === undefined && fallback !== undefined ? schemaOfValue(fallback) : documented)),
      ...(documented.description !== undefined && { description: documented.description }),
      ...(documented.default !== undefined && { default: documented.default }),
      ...(fallback !== undefined && { default: fallback }),
    },
  };
}

function schemaOfValue(value: Json | undefined): JsonObject {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: typeof value };
    default:
      return Array.isArray(value) ? { type: 'array' } : {};
  }
}

function objectOf(value: Json | Record<string, unknown>): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

const modules = new WeakMap<object, Module>();

function moduleOf(folder: Folder, file: string): Module | undefined {
  const found = folder.get(file);
  if (found?.kind !== 'text') return undefined;
  const known = modules.get(found) ?? readModule(file, found.text);
  modules.set(found, known);
  return known;
}

/**
 * Recursive types have an infinite schema. After this many lookups, the schema of a type is `{}`, which accepts anything.
 */
const maxLookups = 500;

function finder(folder: Folder, file: string, module: Module & { ok: true }, budget: { left: number }): FindType {
  const find: FindType = (name) => {
    budget.left -= 1;
    if (budget.left < 0) return undefined;
    const type = module.types.get(name);
    if (type !== undefined) return { type, find };
    const imported = module.imports.get(name);
    if (imported === undefined) return undefined;
    const base = path.join(path.dirname(file), imported.from);
    for (const spelling of [base, `${base}.ts`, base.replace(/\.js$/, '.ts')]) {
      const other = moduleOf(folder, spelling);
      if (other?.ok) return finder(folder, spelling, other, budget)(imported.name);
    }
    return undefined;
  };
  return find;
}
