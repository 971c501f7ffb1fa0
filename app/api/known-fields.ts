import type { z } from 'zod';
import { nearName } from '@/lib/base/near-name';
import { memberOf } from '@/lib/base/record-of';
import { cutText } from '@/lib/base/well-formed';

type Schema = z.core.$ZodType;

/**
 * Returns the names of the fields that a schema knows at a path. Those of all alternatives count. The list is empty where users choose
 * the names.
 */
export function knownFields(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  const found = path.reduce<readonly Schema[]>(
    (schemas, step) => schemas.flatMap(objectsOf).flatMap((each) => membersAt(each, step)),
    [schema],
  );
  const shapes = found.flatMap(objectsOf).map((each) => defOf(each));
  return [...new Set(shapes.flatMap((def) => (def.type === 'object' ? Object.keys(def.shape) : [])))];
}

/** Says what is unknown and what is known. `what` is the noun, such as "field". */
export function unknownSentence(what: string, name: string, known: readonly string[]): string {
  const quoted = JSON.stringify(cutText(name, 80));
  const near = nearName(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const list = known.length === 0 ? 'There is none here.' : `Known: ${known.join(', ')}.`;
  return `There is no ${what} ${quoted}.${hint} ${list}`;
}

/** Throws if an object of a schema ignores fields that it does not know. A free-form object says so with `z.looseObject` or a record. */
export function expectStrict(schema: Schema): void {
  if (strict.has(schema)) return;
  const seen = new Set<Schema>();
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const def = defOf(next);
    if (def.type === 'object' && def.catchall === undefined) {
      throw new Error(`A body with ${Object.keys(def.shape).join(', ')} ignores unknown fields. Use z.strictObject.`);
    }
    waiting.push(...innerOf(next));
  }
  strict.add(schema);
}

const strict = new WeakSet<Schema>();

/** Zod types a definition by its own class. Only the `type` tells which one it is. */
function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/** Returns the schemas that a value may have to match: alternatives and wrapped ones, down to those that describe a value. */
function objectsOf(schema: Schema): readonly Schema[] {
  const reached = new Set<Schema>();
  const waiting = [schema];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const { type } = defOf(next);
    if (type !== 'object' && type !== 'array' && type !== 'record' && type !== 'tuple') waiting.push(...innerOf(next));
  }
  return [...reached];
}

function membersAt(schema: Schema, step: PropertyKey): readonly Schema[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object': {
      const member = Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined;
      return member === undefined ? [] : [member];
    }
    case 'array':
    case 'record':
    case 'tuple':
      return innerOf(schema);
    default: {
      const member = memberOf(schema);
      return member === undefined ? [] : [member];
    }
  }
}

/** Returns the schemas that a schema is made of. */
function innerOf(schema: Schema): readonly Schema[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.values(def.shape);
    case 'array':
      return [def.element];
    case 'record':
      return [def.valueType];
    case 'tuple':
      return def.rest === null ? def.items : [...def.items, def.rest];
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    case 'lazy':
      return [def.getter()];
    case 'pipe':
      return [def.in, def.out];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return [def.innerType];
    default: {
      const member = memberOf(schema);
      return member === undefined ? [] : [member];
    }
  }
}
