import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { DeclarativeOf } from '@/lib/cards/hook-settings';

/**
 * `clamp` moves a number to the nearest end of the range. It does not change other values, which the tool itself checks.
 */
export function clampArgument({ argument, min, max }: DeclarativeOf<'clamp'>, args: JsonObject): JsonObject {
  const value = argumentAt(args, argument);
  if (typeof value !== 'number' && typeof value !== 'bigint') return args;
  if (min !== undefined && value < min) return withArgument(args, argument, min);
  return max !== undefined && value > max ? withArgument(args, argument, max) : args;
}

/** `rename` moves a value to another argument. If both are given, the one that the tool knows is kept. */
export function renameArgument({ from, to }: DeclarativeOf<'rename'>, args: JsonObject): JsonObject {
  if (!Object.hasOwn(args, from) || Object.hasOwn(args, to)) return args;
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key === from ? to : key, value]));
}

/** `default` fills in an argument that is absent or null. */
export function defaultArgument({ argument, value }: DeclarativeOf<'default'>, args: JsonObject): JsonObject {
  const given = argumentAt(args, argument);
  return given === undefined || given === null ? withArgument(args, argument, value) : args;
}

/** Finds an argument by its name or by a path into objects: `options.limit`. */
function argumentAt(args: JsonObject, argument: string): Json | undefined {
  if (Object.hasOwn(args, argument)) return args[argument];
  let value: Json | undefined = args;
  for (const part of argument.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function withArgument(args: JsonObject, argument: string, value: Json): JsonObject {
  const [first = '', ...rest] = argument.split('.');
  if (rest.length === 0 || Object.hasOwn(args, argument)) return { ...args, [argument]: value };
  const inner = Object.hasOwn(args, first) ? args[first] : undefined;
  // The value on the path is not an object. The tool reports that when it checks its arguments.
  if (inner !== undefined && inner !== null && !isJsonObject(inner)) return args;
  return { ...args, [first]: withArgument(inner ?? {}, rest.join('.'), value) };
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
