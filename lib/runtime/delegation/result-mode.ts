import type { Json, JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';

/**
 * With `postprocess` the agent's model reads the results of its tools. With `passthrough` the results are the agent's
 * answer.
 */
export type ResultMode = 'postprocess' | 'passthrough';

const responseModes = ['inherit', 'postprocess', 'passthrough'] as const;

/** Returns a card's `tool_result_mode`; `undefined` where the caller chooses (`selectable`) or the card says nothing. */
export function cardResultMode(card: Card): ResultMode | undefined {
  const mode = writtenMode(card);
  return mode === 'postprocess' || mode === 'passthrough' ? mode : undefined;
}

function writtenMode(card: Card): Json | undefined {
  return card.type === 'agent' ? card.requestParams.tool_result_mode : undefined;
}

interface ModeRoute {
  readonly child: Card;
  readonly inputSchema: JsonObject | undefined;
}

/**
 * True for a card with `tool_result_mode: selectable` whose own schema does not use the name `response_mode` for something
 * else.
 */
export function hasResponseMode({ child, inputSchema }: ModeRoute): boolean {
  if (writtenMode(child) !== 'selectable') return false;
  const properties = inputSchema?.properties;
  return !(typeof properties === 'object' && properties !== null && 'response_mode' in properties);
}

/** Adds the optional `response_mode` to the parameters. */
export function withResponseMode(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const known = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {};
  const response_mode: JsonObject = {
    type: 'string',
    enum: [...responseModes],
    default: 'inherit',
    description: 'passthrough: the results of its tools are the answer as they are; postprocess: it reads them first',
  };
  return { ...schema, properties: { ...known, response_mode } };
}

export function withoutResponseMode(route: ModeRoute, args: JsonObject): JsonObject {
  if (!hasResponseMode(route) || !('response_mode' in args)) return args;
  const { response_mode: _, ...rest } = args;
  return rest;
}

/** Returns the mode of a child for one call. The card's mode comes first, then the call's, then the caller's. */
export function resultModeOf(
  { spec }: { readonly spec: { readonly resultMode: ResultMode } },
  route: ModeRoute,
  args: JsonObject,
): Result<ResultMode, string> {
  const own = cardResultMode(route.child);
  if (own) return ok(own);
  if (!hasResponseMode(route)) return ok('postprocess');
  const given = args.response_mode;
  if (given === undefined || given === null) return ok(spec.resultMode);
  const wanted = typeof given === 'string' ? given.trim().toLowerCase() : '';
  const mode = responseModes.find((known) => known === wanted);
  if (!mode) return err(`'response_mode' must be one of ${responseModes.join(', ')}.`);
  return ok(mode === 'inherit' ? spec.resultMode : mode);
}
