import type { Json } from '@/lib/base/json';
import { lastSaid } from './read-messages';
import { asText, isObject, parsed, type SpanReader } from './span-reader';

/**
 * Returns what a step was given as text: what a person said if it holds messages, the arguments of a function if it is a recorded
 * call of one, otherwise all of it. A part that is not in the text stays among the attributes that were not read.
 */
export function inputText(reader: SpanReader): string | undefined {
  const value = reader.unmarked().factValue('input');
  const said = lastSaid(value, 'user') ?? onlyArgument(value);
  if (said !== undefined) return said;
  return asText(reader.factValue('input'));
}

/** Returns what a step gave back, in the same way. */
export function outputText(reader: SpanReader): string | undefined {
  const value = reader.unmarked().factValue('output');
  const said = lastSaid(value, 'assistant') ?? textIn(value);
  if (said === undefined) return asText(reader.factValue('output'));
  if (isObject(value) && Object.values(value).every((part) => part === said || isEmpty(part)))
    reader.factValue('output');
  return said;
}

/**
 * Returns the arguments of a recorded call of a function. Python's instrumentations write `{args, kwargs}`; `schema` has the names of
 * the parameters in their order. Any other value is returned as it is.
 */
export function argumentsOf(value: Json | undefined, schema: Json | undefined): Json | undefined {
  if (!isObject(value) || !Array.isArray(value.args)) return value;
  const named = isObject(value.kwargs) ? value.kwargs : {};
  const names = isObject(schema) ? Object.keys(isObject(schema.properties) ? schema.properties : schema) : [];
  const { args } = value;
  if (args.length === 0) return named;
  if (args.length > names.length)
    return args.length === 1 && Object.keys(named).length === 0 ? args[0] : { args, ...named };
  return { ...Object.fromEntries(args.map((arg, index) => [names[index] ?? String(index), arg])), ...named };
}

/** A function that was called with one text and nothing else was asked that. */
function onlyArgument(value: Json | undefined): string | undefined {
  if (!isObject(value) || !Array.isArray(value.args)) return undefined;
  const only = argumentsOf(value, undefined);
  return typeof only === 'string' ? only : undefined;
}

/** Some frameworks write what an agent said as `{text, files, …}`. */
function textIn(output: Json | undefined): string | undefined {
  const value = output === undefined ? undefined : parsed(output);
  return isObject(value) && typeof value.text === 'string' && value.text !== '' ? value.text : undefined;
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
