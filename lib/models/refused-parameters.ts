import { LRUCache } from 'lru-cache';
import { isRecord } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { LogBody } from '@/lib/runtime/ports';
import type { ErrorWords } from './error-words';

/** What a model does not take: a parameter, or with `value` one value of it. */
export interface RefusedPart {
  /** Its place in the request, such as `temperature` or `reasoning.effort`. */
  readonly name: string;
  /** Any JSON value. Other values of the parameter are still sent. */
  readonly value?: unknown;
}

/** A parameter without which a request asks for the same. */
export interface Parameter {
  readonly name: string;
  /** Callboard writes it without being asked, so nobody misses it, and there is no other value. */
  readonly isOwn?: true;
  /** Takes its place. */
  readonly otherName?: string;
  /** What makes no sense without it. */
  readonly alongWith?: string;
  /** It always has one of a few values, so a refusal is about the one that was sent. */
  readonly isChoice?: true;
  /** Words of servers that refuse it without its name. */
  readonly words?: RegExp;
}

/** What the requests of a wire can be made without. */
export interface Dispensable {
  readonly parameters: readonly Parameter[];
  /** Names of what goes back to the provider inside of `messages`. */
  readonly sentBack: readonly string[];
}

/** Stands for the members of messages that `from-provider.ts` sends back. */
export const sentBack = 'messages';
/** One attempt leaves out at most this many parts of its request. */
export const maxRefusals = 16;
/** So many refused values of a model are kept: those that were refused last. Cards may set any number of values. */
const mostValues = 64;

/** What a model has refused. The list is replaced, not changed. */
export interface Refusals {
  parts: readonly RefusedPart[];
}

/** All runs of the process share what was learnt. */
const learnt = new LRUCache<string, Refusals>({ max: 1_000 });

/** Returns what a model at an address has refused. It is found once for each model of a run. */
export function refusalsOf({ address, model }: Endpoint): Refusals {
  const key = `${address} ${model.name}`;
  const known = learnt.get(key) ?? { parts: [] };
  learnt.set(key, known);
  return known;
}

/** Remembers a refusal, for this model and address. The next request is without it. */
export function noteRefusal(refusals: Refusals, part: RefusedPart): void {
  if (refusals.parts.some((known) => known.name === part.name && isSame(known.value, part.value))) return;
  const parts = [...refusals.parts, part];
  const values = parts.filter(({ value }) => value !== undefined);
  const oldest = values.length > mostValues ? values[0] : undefined;
  refusals.parts = parts.filter((known) => known !== oldest);
}

/** Says in the log what a model has refused. `words` are those of its server. */
export function refusalLog({ name, value }: RefusedPart, words: string): LogBody {
  const parameter = value === undefined ? `The parameter '${name}'` : `The value ${JSON.stringify(value)} of '${name}'`;
  const what = name === sentBack ? 'The reasoning of earlier answers' : parameter;
  const next = `${what} is left out or renamed for this model from now on.`;
  return { level: 'info', code: 'parameter_refused', message: `${words} ${next}` };
}

/** Says in the log which settings of a card a model does not take. */
export function ignoredLog(names: readonly string[], model: string, host: string): LogBody {
  const listed = names.map((name) => `'${name}'`).join(', ');
  const message = `Model '${model}' at ${host} does not take ${listed}. What the card sets there is ignored.`;
  return { level: 'warning', code: 'parameter_ignored', message };
}

/**
 * Takes what was refused out of a request, or renames it. Changes `body`, but none of its members. Returns the parameters that the
 * user set and that are now left out: `name`, or `name: value` if another value is taken.
 */
export function leaveOutRefused(
  body: Record<string, unknown>,
  refused: readonly RefusedPart[],
  { parameters }: Dispensable,
): readonly string[] {
  const ignored: string[] = [];
  for (const part of refused) {
    const parameter = parameters.find(({ name }) => name === part.name);
    const value = valueAt(body, part.name);
    if (parameter === undefined || value === undefined) continue;
    if (part.value !== undefined && !isSame(part.value, value)) continue;
    const { name, otherName, alongWith, isOwn } = parameter;
    remove(body, name.split('.'));
    if (alongWith !== undefined) remove(body, alongWith.split('.'));
    const isOtherTaken = otherName !== undefined && !refused.some((other) => other.name === otherName);
    if (isOtherTaken) body[otherName] = value;
    else if (part.value !== undefined)
      ignored.push(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    else if (!isOwn) ignored.push(name);
  }
  return ignored;
}

const refusalWords =
  /unsupported|not[ _]support|unrecognized|unknown|unexpected|extra[ _](?:inputs|fields|forbidden)|not (?:permitted|allowed|accepted|available)|deprecated|no longer/i;
/** OpenAI and others that speak its format. */
const valueWords =
  /unsupported[ _]value|(?:value|level)\b.{0,40}\bnot supported|does not support (?:the )?(?:value|level)|supported values are/i;
/** Then the parameter may as well be left out for all values. */
const oneValueWords = /\bonly the default\b/i;
/** Words of the language too. They count only in quotes, or before `parameter`. */
const commonWords: ReadonlySet<string> = new Set([
  ...['stop', 'stream', 'verbosity', 'temperature', 'reasoning', 'thinking', 'effort', 'summary', 'include'],
]);

/**
 * Returns the part of a request that an error with status 400 or 422 is about, if it says that the server does not take it and
 * the request can do without. `body` has the members of the request.
 */
export function refusedPart(
  words: Pick<ErrorWords, 'said' | 'code' | 'param'>,
  body: Readonly<Record<string, unknown>>,
  dispensable: Dispensable,
): RefusedPart | undefined {
  const { said, code } = words;
  const { parameters, sentBack: names } = dispensable;
  const isRefusal = refusalWords.test(`${code} ${said}`);
  // Anthropic writes the place before its sentence.
  const before = /^([a-z_][\w.]*): /i.exec(said)?.[1] ?? '';
  const isPlace = placeOf(body, before) !== '' || names.includes(lastOf(before));
  const param = words.param || (isPlace ? before : '');
  const place = placeOf(body, param);
  const exact = parameters.find(({ name }) => name === place);
  const named = exact ?? around(place, body, parameters);
  const told = (isRefusal && exact) || parameters.find((one) => one.words?.test(said)) || (isRefusal && named);
  // The sentence may be about a `param` that no request can do without.
  const isOther = param !== '' && !names.includes(lastOf(param)) && (place !== '' || said.includes(lastOf(param)));
  const found = told || (isRefusal && !isOther && mentioned(said, param, dispensable));
  if (!found) return undefined;
  const value = valueAt(body, found.name);
  if (value === undefined) return undefined;
  return isAboutValue(`${code} ${said}`, found, value) ? { name: found.name, value } : { name: found.name };
}

function isAboutValue(words: string, { name, isOwn, otherName, isChoice }: Parameter, value: unknown): boolean {
  if (isOwn || otherName !== undefined || name === sentBack) return false;
  if (isChoice) return true;
  if (oneValueWords.test(words) || words.startsWith('unsupported_parameter')) return false;
  return (
    valueWords.test(words) ||
    (typeof value === 'string' && ["'", '"', '`'].some((quote) => words.includes(`${quote}${value}${quote}`)))
  );
}

/** Returns the parameter that is around a place, or the only one that is inside of it. */
function around(
  place: string,
  body: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
): Parameter | undefined {
  if (place === '') return undefined;
  const outer = parameters.find(({ name }) => place.startsWith(`${name}.`));
  if (outer !== undefined) return outer;
  const inside = parameters.filter(({ name }) => name.startsWith(`${place}.`) && valueAt(body, name) !== undefined);
  const members = body[place];
  return inside.length === 1 && isRecord(members) && Object.keys(members).length === 1 ? inside[0] : undefined;
}

/**
 * Returns the place in the request that `param` names, or '' if there is none. Servers write words of their own between
 * (`thinking.enabled.budget_tokens`), so one at each level may be unknown.
 */
function placeOf(body: Readonly<Record<string, unknown>>, param: string): string {
  const path: string[] = [];
  let at: unknown = body;
  let unknown = 0;
  for (const name of param.replaceAll('[', '.').replaceAll(']', '').split('.')) {
    if (isRecord(at) && Object.hasOwn(at, name) && at[name] !== undefined) {
      path.push(name);
      at = at[name];
      unknown = 0;
    } else if (!isRecord(at) || unknown++ > 0) break;
  }
  return path.join('.');
}

/** Returns the parameter that a sentence names first. */
function mentioned(said: string, param: string, { parameters, sentBack: names }: Dispensable): Parameter | undefined {
  const back = names.map((word) => ({ parameter: { name: sentBack }, words: [word] }));
  const candidates = [...parameters.map((parameter) => ({ parameter, words: wordsOf(parameter) })), ...back];
  return candidates
    .flatMap(({ parameter, words }) => words.map((word) => ({ parameter, word, at: mentionOf(word, said, param) })))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0]?.parameter;
}

/** The words by which a sentence may name a parameter: its place, and the last part of it. */
function wordsOf({ name }: Parameter): readonly string[] {
  const last = lastOf(name);
  return last === name || last === 'type' ? [name] : [name, last];
}

/** Where a text names a parameter; -1 if it does not. */
function mentionOf(word: string, said: string, param: string): number {
  if (word === lastOf(param)) return 0;
  const escaped = word.replaceAll('.', '\\.');
  const pattern = commonWords.has(word)
    ? `(?<=['"\`])${escaped}(?=['"\`])|(?<!\\w)${escaped}(?= parameter\\b)`
    : `(?<!\\w)${escaped}(?!\\w)`;
  return said.search(new RegExp(pattern));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function valueAt(body: Readonly<Record<string, unknown>>, name: string): unknown {
  return name.split('.').reduce<unknown>((at, member) => (isRecord(at) ? at[member] : undefined), body);
}

/** Removes a member, and what is empty then. */
function remove(body: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const inner = body[name];
  if (rest.length === 0 || !isRecord(inner)) {
    delete body[name];
    return;
  }
  const copy = { ...inner };
  remove(copy, rest);
  if (Object.keys(copy).length === 0) delete body[name];
  else body[name] = copy;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
