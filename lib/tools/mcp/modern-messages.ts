import { isRecord, type JsonObject } from '@/lib/base/json';

/** Messages of protocol 2026-07-28, as far as they differ from the earlier ones (basic/index and basic/transports of the specification). */

export const modernVersion = '2026-07-28';
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** What is spoken beyond the protocol itself: a tool may answer with a task. */
const extensions: JsonObject = { 'io.modelcontextprotocol/tasks': {} };

/** Every request says who asks and what the client can do, because there is no handshake. */
export function withEnvelope(params: unknown, capabilities: object, logLevel: string): JsonObject {
  const given = isObject(params) ? params : {};
  const meta = isObject(given._meta) ? given._meta : {};
  return {
    ...given,
    _meta: {
      ...meta,
      [versionKey]: modernVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'callboard', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { ...capabilities, extensions },
      'io.modelcontextprotocol/logLevel': logLevel,
    },
  };
}

/** The field of a request that its header `Mcp-Name` repeats. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Returns the headers that repeat what a request says; none for a request of an earlier protocol. */
export function modernHeaders(body: string): Readonly<Record<string, string>> {
  if (!body.includes(versionKey)) return {};
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || typeof message.method !== 'string' || !isRecord(message.params)) return {};
  if (!isRecord(message.params._meta) || message.params._meta[versionKey] !== modernVersion) return {};
  const field = named[message.method];
  const name = field === undefined ? undefined : message.params[field];
  return {
    'mcp-protocol-version': modernVersion,
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  };
}

/** Text that a header cannot hold is written in base64, with marks before and after it. */
function headerValue(text: string): string {
  const isPlain = /^[\x20-\x7e]+$/.test(text) && text === text.trim() && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** What a tool needs before it can give its result. */
export interface InputRequired {
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** Goes back to the server as it came. It means nothing here. */
  readonly state: string | undefined;
}

export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Reads a result that asks for input; `undefined` for any other result. */
export function inputRequired(result: unknown): InputRequired | undefined {
  if (!isRecord(result) || result.resultType !== 'input_required') return undefined;
  const state = typeof result.requestState === 'string' ? result.requestState : undefined;
  return { requests: inputRequestsIn(result.inputRequests), state };
}

/** Reads the requests of a result or of a task, by their keys. What is no request is left out. */
export function inputRequestsIn(value: unknown): InputRequired['requests'] {
  const requests = Object.entries(isRecord(value) ? value : {}).flatMap(([key, request]): [string, InputRequest][] => {
    if (!isRecord(request) || typeof request.method !== 'string') return [];
    return [[key, { method: request.method, params: isObject(request.params) ? request.params : {} }]];
  });
  return Object.fromEntries(requests);
}

/** True for a result that says that the call goes on as a task (extension `io.modelcontextprotocol/tasks`). */
export function isTask(result: unknown): boolean {
  return isRecord(result) && result.resultType === 'task';
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
