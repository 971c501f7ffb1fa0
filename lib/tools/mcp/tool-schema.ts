import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { targetOf } from '@/lib/base/json-pointer';

/** A schema that can be offered, and what was repaired in it; or why there can be none. Each is the end of a sentence. */
export type MendedSchema =
  | { readonly schema: JsonObject; readonly faults: readonly string[] }
  | { readonly refused: string };

/** Keywords whose value maps names to schemas. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose value is a schema, or a list of schemas. */
const nested = new Set(
  'items prefixItems additionalItems additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else anyOf oneOf allOf'.split(
    ' ',
  ),
);
/** Keywords whose value may be `null`. */
const free = new Set(['default', 'const', 'example']);
const choices = ['anyOf', 'oneOf', 'allOf'] as const;
const deepest = 100;

/**
 * Repairs the schema of a tool's arguments. One schema with a fault would make providers refuse every request of an agent
 * (https://platform.openai.com/docs/guides/function-calling, and JSON Schema 2020-12). Every change makes the schema take
 * more, never less: the server still checks what it gets. Keywords that are `null` are left out without a word, because
 * servers in Go write empty lists so.
 */
export function mendSchema(given: unknown): MendedSchema {
  if (given === undefined || given === null) {
    return { schema: { type: 'object' }, faults: ['it has no inputSchema, so it is offered without arguments'] };
  }
  if (!isJsonObject(given)) return { refused: 'its inputSchema is not an object' };
  const mender = new Mender(given);
  const schema = mender.repair(given, '', 0);
  const { type, properties, required, ...rest } = mender.withoutChoice(schema);
  const isObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject) return { refused: `its inputSchema is of type ${JSON.stringify(type)}, and arguments are an object` };
  const ordered = {
    type: 'object',
    ...(properties !== undefined && { properties }),
    ...(required !== undefined && { required }),
    ...rest,
  };
  return { schema: ordered, faults: mender.faults };
}

class Mender {
  readonly faults: string[] = [];
  /** With ids and anchors a reference may lead anywhere. */
  private readonly hasIds: boolean;

  constructor(private readonly root: JsonObject) {
    this.hasIds = /"\$(?:id|anchor|dynamicAnchor)":/.test(JSON.stringify(root));
  }

  repair(schema: JsonObject, place: string, depth: number): JsonObject {
    const repaired: Record<string, Json> = {};
    for (const [key, value] of Object.entries(schema)) {
      const made = this.keyword(key, value, place, depth);
      if (made !== undefined) repaired[key] = made;
    }
    const { type } = repaired;
    const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
    if (isList && repaired.items === undefined && repaired.prefixItems === undefined) {
      repaired.items = {};
      this.note(place, "is a list without 'items'");
    }
    return repaired;
  }

  /** Makes one object of a choice at the top, which most providers refuse. */
  withoutChoice(schema: JsonObject): JsonObject {
    const merged: Record<string, Json> = { ...schema };
    for (const keyword of choices) {
      const branches = merged[keyword];
      if (!Array.isArray(branches)) continue;
      const found = branches.map((branch) => this.objectAt(branch));
      const objects = found.filter((branch) => branch !== undefined);
      if (objects.length !== found.length) continue;
      delete merged[keyword];
      const own = recordOf(merged.properties);
      const properties = unionOf([...objects.map((branch) => recordOf(branch.properties)), own]);
      const lists = objects.map((branch) => namesOf(branch.required));
      const shared =
        keyword === 'allOf'
          ? lists.flat()
          : (lists[0]?.filter((name) => lists.every((list) => list.includes(name))) ?? []);
      const required = [...new Set([...namesOf(merged.required), ...shared])];
      merged.type ??= 'object';
      if (Object.keys(properties).length > 0) merged.properties = properties;
      if (required.length > 0) merged.required = required;
      this.note('', `has '${keyword}' at the top, so it is offered as one object with all the properties`);
    }
    return merged;
  }

  private objectAt(branch: Json): JsonObject | undefined {
    if (!isJsonObject(branch)) return undefined;
    const target = typeof branch.$ref === 'string' ? targetOf(this.root, branch.$ref) : branch;
    if (!isJsonObject(target) || target.$ref !== undefined) return undefined;
    if (choices.some((keyword) => keyword in target)) return undefined;
    const { type } = target;
    return type === undefined || type === 'object' ? target : undefined;
  }

  private keyword(key: string, value: Json, place: string, depth: number): Json | undefined {
    if (value === null) return free.has(key) ? value : undefined;
    if (depth >= deepest) return value;
    if (named.has(key)) return this.namedSchemas(key, value, place, depth);
    if (nested.has(key)) return this.schemas(value, place === '' ? key : `${place}.${key}`, depth);
    switch (key) {
      case 'required':
        return this.required(value, place);
      case '$ref':
        return this.reference(value, place);
      default:
        return value;
    }
  }

  private namedSchemas(key: string, value: Json, place: string, depth: number): Json | undefined {
    if (!isJsonObject(value)) return this.dropped(place, `has '${key}' that are not an object`);
    const repaired: Record<string, Json> = {};
    for (const [name, schema] of Object.entries(value)) {
      const at = place === '' ? name : `${place}.${name}`;
      if (isJsonObject(schema)) repaired[name] = this.repair(schema, at, depth + 1);
      else if (schema !== false) repaired[name] = schema === true || schema === null ? {} : this.anything(at);
    }
    return repaired;
  }

  private schemas(value: Json, place: string, depth: number): Json {
    if (Array.isArray(value)) return value.map((entry: Json) => this.schemas(entry, place, depth + 1));
    return isJsonObject(value) ? this.repair(value, place, depth + 1) : value;
  }

  private required(value: Json, place: string): Json | undefined {
    if (!Array.isArray(value)) return this.dropped(place, "has a 'required' that is not a list of names");
    const names = namesOf(value);
    if (names.length < value.length) this.note(place, "has a 'required' with entries that are no names");
    return names;
  }

  private reference(value: Json, place: string): Json | undefined {
    if (typeof value !== 'string') return this.dropped(place, "has a '$ref' that is not a text");
    if (this.hasIds || targetOf(this.root, value) !== undefined) return value;
    return this.dropped(place, `refers to ${JSON.stringify(value.slice(0, 100))}, which is not in the schema`);
  }

  private anything(place: string): JsonObject {
    this.note(place, 'is not a schema');
    return {};
  }

  private dropped(place: string, fault: string): undefined {
    this.note(place, fault);
    return undefined;
  }

  private note(place: string, fault: string): void {
    this.faults.push(`${place === '' ? 'its inputSchema' : `'${place}'`} ${fault}`);
  }
}

/** Returns the properties of all; one that differs between them may be any of its forms. */
function unionOf(all: readonly JsonObject[]): JsonObject {
  const forms = new Map<string, Json[]>();
  for (const [name, schema] of all.flatMap((one) => Object.entries(one))) {
    const known = forms.get(name) ?? [];
    if (!known.some((form) => JSON.stringify(form) === JSON.stringify(schema))) known.push(schema);
    forms.set(name, known);
  }
  return Object.fromEntries(
    [...forms].map(([name, found]) => [name, found.length > 1 ? { anyOf: found } : (found[0] ?? {})]),
  );
}

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function namesOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
