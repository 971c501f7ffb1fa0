import { assertNever } from '@/lib/base/assert';
import { exactJson } from '@/lib/base/exact-json';
import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';

/** Decides how a call's arguments become the child's user message. docs/delegation.md shows the mapping of each mode. */
export type InputMode = NonNullable<DelegationOptions['input_mode']>;

/** Returns the delegation's mode; without one, `schema` if there is a schema, otherwise `text_json`. */
export function inputModeOf(wanted: InputMode | undefined, schema: JsonObject | undefined): InputMode {
  const mode = wanted ?? (schema ? 'schema' : 'text_json');
  return mode === 'schema' && !schema ? 'text_json' : mode;
}

/** The parameters of mode `text_json` (docs/delegation.md). */
const textJsonSchema: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Plain text input' },
    json: { type: 'object', description: 'Arbitrary JSON payload' },
  },
  additionalProperties: true,
};

/** Returns the parameters that the parent's model sees. The child's own schema is listed unchanged. */
export function inputSchemaOf(child: string, mode: InputMode, schema: JsonObject | undefined): JsonObject {
  switch (mode) {
    case 'text_json':
      return textJsonSchema;
    case 'request':
      return oneField('request', { type: 'string', description: `The request for ${child}` }, true);
    case 'message':
      return oneField('message', { type: 'string', description: `The message to ${child}` }, true);
    case 'input_data':
      return oneField('input_data', { description: `Input for ${child}: text or any JSON value` }, false);
    case 'schema':
      return schema ?? textJsonSchema;
    default:
      return assertNever(mode);
  }
}

function oneField(name: string, schema: JsonObject, required: boolean): JsonObject {
  return { type: 'object', properties: { [name]: schema }, ...(required ? { required: [name] } : {}) };
}

/**
 * Returns the child's message, or a sentence that tells the model what to send instead. The schema must have been checked
 * before.
 */
export function childMessage(
  mode: InputMode,
  args: JsonObject,
  schema: JsonObject | undefined,
): Result<string, string> {
  switch (mode) {
    case 'text_json':
      return ok(textJsonMessage(args));
    case 'request':
      return typeof args.request === 'string' ? ok(args.request) : err("'request' must be a string.");
    case 'message':
      return typeof args.message === 'string' && args.message.trim() !== ''
        ? ok(args.message)
        : err('Message is required.');
    case 'input_data':
      if (args.input_data === undefined) return ok('');
      return ok(typeof args.input_data === 'string' ? args.input_data : exactJson(args.input_data));
    case 'schema':
      return ok(schemaMessage(schema, args));
    default:
      return assertNever(mode);
  }
}

/** Parameters that other options add to a mode. Mode `text_json` accepts any other name but reserves these. */
export const addedParameters = ['session_id', 'attachments'] as const;

/** Returns the arguments without those that other options added. `added` names the added parameters of this delegation. */
export function ownArguments(
  mode: InputMode,
  args: JsonObject,
  added: readonly (typeof addedParameters)[number][],
): JsonObject {
  const names: readonly string[] = mode === 'text_json' ? addedParameters : added;
  if (!names.some((name) => name in args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** Builds the message of mode `text_json` (docs/delegation.md). */
function textJsonMessage(args: JsonObject): string {
  if (typeof args.text === 'string') return args.text;
  const names = Object.keys(args);
  // `message` is fast-agent's own parameter. Models and prompts that know fast-agent use it.
  if (names.length === 1 && typeof args.message === 'string') return args.message;
  if (args.json !== undefined) return typeof args.json === 'string' ? args.json : exactJson(args.json);
  return names.length > 0 ? exactJson(args) : '';
}

/**
 * Returns compact JSON without null members. If the schema is exactly `{message}`, it returns plain text as fast-agent
 * does.
 */
function schemaMessage(schema: JsonObject | undefined, args: JsonObject): string {
  const properties = Object.keys(schema?.properties ?? {});
  if (properties.length === 1 && properties[0] === 'message' && typeof args.message === 'string') return args.message;
  return exactJson(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)));
}
