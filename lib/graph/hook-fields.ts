import type { Json } from '@/lib/base/json';
import { isRecord } from '@/lib/base/json';
import { type DeclarativeKind, declarativeJsonSchema } from '@/lib/cards/hook-settings';

/** One parameter of a hook without code, as a form shows it. */
export interface HookField {
  readonly name: string;
  /** `list` is a list of texts. `value` is any JSON value. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'list' | 'value';
  readonly required: boolean;
  /** The value that counts if the parameter is absent. */
  readonly fallback: Json | undefined;
  /** The choices of a `choice`. */
  readonly options: readonly string[];
  readonly least: number | undefined;
  readonly whole: boolean;
}

/**
 * Returns the parameters of a hook, in the order of its schema. The filter `when` is left out, because every hook has it and
 * it has a form of its own.
 */
export function hookFields(kind: DeclarativeKind): readonly HookField[] {
  const schema = schemas().find((one) => isRecord(one.properties) && constOf(one.properties.kind) === kind);
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (name === 'kind' || name === 'when' || !isRecord(property)) return [];
    return [fieldOf(name, property, required.includes(name))];
  });
}

let parsed: readonly Record<string, unknown>[] | undefined;

function schemas(): readonly Record<string, unknown>[] {
  const schema = parsed === undefined ? declarativeJsonSchema() : undefined;
  if (isRecord(schema) && Array.isArray(schema.oneOf)) parsed = schema.oneOf.filter(isRecord);
  return parsed ?? [];
}

function constOf(schema: unknown): unknown {
  return isRecord(schema) ? schema.const : undefined;
}

function fieldOf(name: string, schema: Record<string, unknown>, required: boolean): HookField {
  const { type, minimum } = schema;
  return {
    name,
    kind: kindOf(schema),
    required,
    fallback: isJson(schema.default) ? schema.default : undefined,
    options: Array.isArray(schema.enum) ? schema.enum.filter((one) => typeof one === 'string') : [],
    least: typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined,
    whole: type === 'integer',
  };
}

function kindOf({ type, enum: options }: Record<string, unknown>): HookField['kind'] {
  if (Array.isArray(options)) return 'choice';
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'array':
      return 'list';
    default:
      return 'value';
  }
}

function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== 'function';
}
