import { LRUCache } from 'lru-cache';
import type { JsonObject } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { AnswerFormat } from '@/lib/cards/models/providers';
import type { ModelRequest, ResponseFormat } from '@/lib/runtime/ports';
import { isStrictSchema } from './strict-schema';

/** Models that have refused a response format, with tools or without. All runs of the process share it. */
const refusing = new LRUCache<string, true>({ max: 1_000 });
/** The models that have refused a schema while they take others. */
const refusingSchema = new WeakMap<JsonObject, Set<string>>();

/**
 * Returns the `response_format` of a request as JSON text: a JSON schema if the endpoint takes one, otherwise any JSON
 * object. Returns `undefined` if the instruction alone asks for the form, because the endpoint takes no format or has
 * refused it.
 */
export function answerFormat(request: ModelRequest, endpoint: Endpoint): string | undefined {
  const kind = wantedFormat(request, endpoint);
  if (request.responseFormat === undefined || kind === undefined) return undefined;
  return kind === 'json_object' ? '{"type":"json_object"}' : schemaFormat(request.responseFormat);
}

/** Returns the kind of response format to ask for, or `undefined` if the instruction alone asks for the form. */
export function wantedFormat(request: ModelRequest, endpoint: Endpoint): AnswerFormat | undefined {
  const { responseFormat, tools } = request;
  const kind = endpoint.answerFormat;
  if (responseFormat === undefined || kind === undefined) return undefined;
  if (tools.length > 0 && !endpoint.answerFormatWithTools) return undefined;
  // Both kinds make the answer an object, so a schema that may be anything else is left to the instruction.
  if (responseFormat.schema.type !== 'object') return undefined;
  const key = keyOf(request, endpoint);
  return refusing.has(key) || refusingSchema.get(responseFormat.schema)?.has(key) ? undefined : kind;
}

/** Remembers a refusal for the model. It counts for this schema if the server says so, otherwise for every format. */
export function noteRefusedFormat(request: ModelRequest, endpoint: Endpoint, message: string): void {
  const key = keyOf(request, endpoint);
  const schema = request.responseFormat?.schema;
  if (schema && /invalid[ _](?:json[ _])?schema/i.test(message)) {
    refusingSchema.set(schema, (refusingSchema.get(schema) ?? new Set()).add(key));
  } else refusing.set(key, true);
}

/** Returns true if the words of a refusal are about the response format. Google calls it a response mime type, Alibaba JSON mode. */
export function isAboutFormat(words: string): boolean {
  return formatWords.test(words);
}

const formatWords =
  /response[ _-]?format|response[ _]mime[ _]type|json[ _](?:schema|object|mode|validate_failed)|structured[ _]output|output_config|output[ _]format|text\.format/i;

function schemaFormat({ name, schema }: ResponseFormat): string {
  const format = { name: formatName(name), schema, strict: isStrictSchema(schema) };
  return JSON.stringify({ type: 'json_schema', json_schema: format });
}

/** Returns a name that the API takes. */
export function formatName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'answer';
}

function keyOf({ tools }: ModelRequest, { address, model, wire }: Endpoint): string {
  return `${wire} ${address} ${model.name} ${tools.length > 0}`;
}
