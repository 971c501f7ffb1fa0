import { parseExactJson } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ContentBlock } from '@/lib/runtime/record/messages';
import { readAttachments } from './attachments';
import { inputProblem } from './check-input';
import type { ChildRoute } from './child-route';
import { childMessage, ownArguments } from './input-mode';
import { withoutResponseMode } from './result-mode';

/** What a child gets from the arguments of a call. */
export interface ChildInput {
  readonly message: string;
  readonly attachments: readonly ContentBlock[];
}

export interface InputRefusal {
  readonly code: 'INPUT_VALIDATION' | 'ATTACHMENT_REFUSED';
  /** A sentence for the model that called. */
  readonly message: string;
}

/**
 * Reads the arguments of a call of `tool`: checks them against the child's input schema, makes the child's message, and
 * reads the files. Input and files are checked in this order. Arguments of `worker_call` are without `worker`.
 */
export function readInput(
  route: ChildRoute,
  args: JsonObject,
  tool: string,
  folder: Folder,
): Result<ChildInput, InputRefusal> {
  const refuse = (message: string) => err({ code: 'INPUT_VALIDATION' as const, message });
  const { inputMode } = route;
  const own = ownArguments(inputMode, withoutResponseMode(route, args), addedParametersOf(route));
  const schema = contractOf(route);
  const viaWorkerCall = route.viaWorkerCall === true;
  const checked = viaWorkerCall && schema ? workerArguments(own.input_data, schema) : own;
  if (checked === undefined) {
    const object = JSON.stringify(schema);
    return refuse(`Worker '${route.child.name}' takes no text. Send 'input_data' as an object that fits ${object}.`);
  }
  const problem = schema && inputProblem(schema, checked);
  if (problem) {
    const what = viaWorkerCall ? `'input_data' for worker '${route.child.name}'` : `The arguments of '${tool}'`;
    return refuse(`${what} ${viaWorkerCall ? 'is' : 'are'} not valid: ${problem}.`);
  }
  const message = childMessage(schema ? 'schema' : inputMode, checked, schema);
  if (!message.ok) return refuse(message.error);
  // In mode `schema`, an `attachments` argument that `ownArguments` left in place is a property of the child's own schema.
  const wanted = inputMode === 'schema' && Object.hasOwn(own, 'attachments') ? undefined : args.attachments;
  const files = readAttachments(folder, route.attachments, wanted);
  if (!files.ok) return err({ code: 'ATTACHMENT_REFUSED', message: files.error });
  return ok({ message: message.value, attachments: files.value });
}

/** The schema that the input must fit, on each way to the child. */
export function contractOf({ inputMode, inputSchema, viaWorkerCall }: ChildRoute): JsonObject | undefined {
  return inputMode === 'schema' || viaWorkerCall ? inputSchema : undefined;
}

/**
 * Returns the arguments that the worker's own tool would get for this `input_data`: an object, its JSON as text, or the text
 * of a schema that is exactly `{message}`. `undefined` if it is none of these.
 */
function workerArguments(input: Json | undefined, schema: JsonObject): JsonObject | undefined {
  const value = typeof input === 'string' ? (parseExactJson(input) ?? input) : (input ?? {});
  if (isJsonObject(value)) return value;
  const properties = Object.keys(schema.properties ?? {});
  const isMessage = properties.length === 1 && properties[0] === 'message';
  return isMessage && typeof input === 'string' ? { message: input } : undefined;
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}

/** Lists the parameters that options of the delegation add to those of its input mode. */
function addedParametersOf({ attachments, options }: ChildRoute): ('attachments' | 'session_id')[] {
  return [
    ...(attachments ? ['attachments' as const] : []),
    ...(options.session === 'addressed' ? ['session_id' as const] : []),
  ];
}
