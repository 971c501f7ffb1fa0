import { LRUCache } from 'lru-cache';
import type { Json } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { ErrorWords } from './error-words';
import { sentBackNames } from './from-provider';

/** A parameter that a server refuses. */
export interface RefusedParameter {
  /** Its name in the request, or `sentBack` for what goes back to the provider that wrote it. */
  readonly name: string;
  /** The server takes the parameter, but not this value of it. */
  readonly isValue?: true;
}

/** Stands for the members of messages that `from-provider.ts` sends back. */
export const sentBack = 'messages';

/** The parameters that a model has refused: `name`, or `name=value` with the value as JSON. The set is replaced, not changed. */
export interface Refusals {
  names: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();
/** All runs of the process share what was learnt. */
const learnt = new LRUCache<string, Refusals>({ max: 1_000 });

/** Returns what a model at an address has refused. It is found once for each model of a run. */
export function refusalsOf({ address, model }: Endpoint): Refusals {
  const key = `${address} ${model.name}`;
  const known = learnt.get(key) ?? { names: nothing };
  learnt.set(key, known);
  return known;
}

/** Remembers a refusal, for this model and address. With `value`, only that value of the parameter is left out from then on. */
export function noteRefusal(refusals: Refusals, { name }: RefusedParameter, value?: Json): void {
  const entry = value === undefined ? name : `${name}=${JSON.stringify(value)}`;
  if (!refusals.names.has(entry)) refusals.names = new Set([...refusals.names, entry]);
}

/** The two names of the limit of output tokens. A server takes one or both. */
const otherName: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_completion_tokens'],
  ['max_completion_tokens', 'max_tokens'],
]);
/** Callboard writes these without being asked, so nobody misses them. */
const unasked: ReadonlySet<string> = new Set(['stream', 'stream_options']);

/**
 * Takes what was refused out of a request, or renames it. Returns the parameters that the user set and that are now left out: `name`,
 * or `name: value` if another value is taken.
 */
export function leaveOutRefused(body: Record<string, Json>, refused: ReadonlySet<string>): readonly string[] {
  if (refused.size === 0) return [];
  if (refused.has('stream')) delete body.stream_options;
  const ignored: string[] = [];
  for (const entry of refused) {
    const [name = '', ...onlyFor] = entry.split('=');
    const value = body[name];
    if (value === undefined) continue;
    if (onlyFor.length > 0) {
      if (JSON.stringify(value) !== onlyFor.join('=')) continue;
      delete body[name];
      ignored.push(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
      continue;
    }
    delete body[name];
    const other = otherName.get(name);
    if (other !== undefined && !refused.has(other)) body[other] = value;
    else if (!unasked.has(name)) ignored.push(name);
  }
  return ignored;
}

const refusalWords =
  /unsupported|not[ _]support|unrecognized|unknown|unexpected|extra[ _](?:inputs|fields|forbidden)|not (?:permitted|allowed|accepted|available)|deprecated|no longer/i;

/** The other parameters that `openai-request.ts` writes, beside those of the two names and of `unasked`. */
const written = [
  ...['temperature', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty', 'repetition_penalty'],
  ...['verbosity', 'reasoning_effort', 'service_tier', 'stop', 'parallel_tool_calls'],
];
const names: readonly string[] = [...otherName.keys(), ...unasked, ...written];
/** Words of the language too. They count only in quotes. */
const commonWords: ReadonlySet<string> = new Set([
  'stop',
  'stream',
  'verbosity',
  'temperature',
  'reasoning',
  'thinking',
]);

/** OpenAI and others that speak its format. Where only the default is taken, the parameter may as well be left out for all. */
const valueWords =
  /unsupported[ _]value|(?:value|level)\b.{0,40}\bnot supported|does not support (?:the )?(?:value|level)/i;

/** Returns the parameter that an error with status 400 or 422 is about, if it says that the server does not take it. */
export function refusedParameter({
  said,
  code,
  param,
}: Pick<ErrorWords, 'said' | 'code' | 'param'>): RefusedParameter | undefined {
  if (!refusalWords.test(`${code} ${said}`)) return undefined;
  const path = param.split('.');
  const last = path.at(-1) ?? '';
  const isValue = valueWords.test(`${code} ${said}`) && !/\bonly the default\b/i.test(said);
  // Another value of the others is never tried: no user set them, or they have another name.
  const refusalOf = (name: string): RefusedParameter =>
    isValue && written.includes(name) ? { name, isValue } : { name };
  if (names.includes(last) && path.length <= 2) return refusalOf(last);
  if (/\bstreaming\b.*not support|not support\w* streaming/i.test(said)) return { name: 'stream' };
  const found = [...names, ...sentBackNames]
    .map((name) => ({ name, at: mentionOf(name, said, sentBackNames.includes(last) ? last : '') }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0]?.name;
  if (found === undefined) return undefined;
  return sentBackNames.includes(found) ? { name: sentBack } : refusalOf(found);
}

/** Where a text names a parameter; -1 if it does not. */
function mentionOf(name: string, said: string, param: string): number {
  if (name === param) return 0;
  const pattern = commonWords.has(name) ? `['"\`]${name}['"\`]` : `(?<![\\w])${name}(?![\\w])`;
  return said.search(new RegExp(pattern));
}
