import { oncePer } from '@/lib/base/once-per';
import { err, ok, type Result } from '@/lib/base/result';
import modelNames from './model-names.json';
import { findProvider } from './providers';

/** A parsed model string, as in fast-agent: `[provider.]model[:suffix][?k=v&…]`, `provider/model`, or `$namespace.key`. */
export interface ModelSpec {
  /** `undefined` if the name of the model or an alias decides. */
  readonly provider: string | undefined;
  /** The model without provider, suffix and query. */
  readonly model: string;
  /** The text after `:`, such as the host of an hf model. */
  readonly suffix: string | undefined;
  /** The query, with keys in snake_case and converted numbers and booleans. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

/** fast-agent's test models, which need no provider, and Callboard's `script`. */
const testModels = new Set(['passthrough', 'playback', 'slow', 'silent', 'script']);

/** Aliases of fast-agent that contain spaces. */
const spacedNames = new Set(modelNames.aliases.flatMap(({ names }) => names.filter((name) => name.includes(' '))));

const numberKeys = new Set(
  `streaming_timeout task_budget max_tokens poll_period temperature top_p top_k min_p presence_penalty
  repetition_penalty`.split(/\s+/),
);
const otherKeys = new Set(
  `reasoning verbosity structured instant context transport service_tier structured_tools web_search x_search
  web_fetch`.split(/\s+/),
);
const words: Readonly<Record<string, readonly string[]>> = {
  context: ['1m'],
  transport: ['sse', 'ws', 'websocket', 'auto'],
  service_tier: ['fast', 'flex'],
};
const reasoningSuffix = /\.(none|minimal|low|medium|high|xhigh|max)$/;

/** Limits the cache to about 500 kB. */
const maxParsed = 500;
const maxParsedLength = 200;
const parsed = new Map<string, Result<ModelSpec, string>>();

/**
 * Parses a model string. The error is a sentence. An unknown model is not an error, because only its provider knows its
 * models. Results are cached, because all cards are checked after each edit, and they name few different models.
 */
export function parseModel(text: string): Result<ModelSpec, string> {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const model = readModel(text);
  if (parsed.size >= maxParsed) parsed.clear();
  if (text.length <= maxParsedLength) parsed.set(text, model);
  return model;
}

function readModel(text: string): Result<ModelSpec, string> {
  const trimmed = text.trim();
  if (trimmed === '') return err('The model string is blank. Name a model.');
  if (/\s/.test(trimmed) && !spacedNames.has(trimmed.replace(/[?:].*$/s, '')))
    return err(`The model string '${trimmed}' contains a space. Remove it.`);
  const [name = '', query] = splitOnce(trimmed, '?');
  const params = parseQuery(query ?? '', trimmed);
  if (!params.ok) return params;
  const [full = '', suffix] = splitOnce(name, ':');
  if (full === '') return err(`The model string '${trimmed}' names no model. Write provider.model.`);
  const reasoning = reasoningSuffix.exec(full);
  if (reasoning !== null) {
    const base = full.slice(0, reasoning.index);
    return err(`'${full}' uses an old suffix. Write '${base}?reasoning=${reasoning[1]}'.`);
  }
  const spec = { ...splitProvider(full), suffix, params: params.value };
  return spec.model === '' ? err(`The model string '${trimmed}' names no model after '${spec.provider}'.`) : ok(spec);
}

export type ModelReferences = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function isModelReference(text: string): boolean {
  return text.trim().startsWith('$') && !text.trim().startsWith('${');
}

/**
 * Resolves `$namespace.key` to a model string. The error is a sentence on an unknown key or a cycle. The result of each
 * reference on the way is cached, so that many cards follow a long chain only once.
 */
export function resolveModelReference(text: string, references: ModelReferences): Result<string, string> {
  const known = resolutionsOf(references);
  const way = new Set<string>();
  let end: Result<string, string> | undefined;
  for (let current = text.trim(); end === undefined; ) {
    end = way.has(current) ? err(cycleText([...way], current)) : known.get(current);
    way.add(current);
    if (end !== undefined) break;
    const next = stepFrom(current, references);
    if (next.ok && isModelReference(current)) current = next.value;
    else end = next;
  }
  for (const reference of way) known.set(reference, end);
  return end;
}

/** The results are cached by the references, which are immutable. */
const resolutionsOf = oncePer((_: ModelReferences) => new Map<string, Result<string, string>>());

/** Returns the value of a reference, or the model string itself. */
function stepFrom(text: string, references: ModelReferences): Result<string, string> {
  if (!isModelReference(text)) return ok(text);
  const [, namespace = '', key = ''] = /^\$([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  if (key === '') return err(`'${text}' is not a model reference. Write $namespace.key.`);
  const group = Object.hasOwn(references, namespace) ? references[namespace] : undefined;
  const next = group !== undefined && Object.hasOwn(group, key) ? group[key] : undefined;
  return next === undefined
    ? err(`Model reference '${text}' is unknown. Add it to model_references in fast-agent.yaml.`)
    : ok(next.trim());
}

/** Describes the cycle at the end of `way`, back to `first`. Truncates a long cycle. */
function cycleText(way: readonly string[], first: string): string {
  const cycle = way.slice(way.indexOf(first));
  const shown = cycle.length > 10 ? [...cycle.slice(0, 10), '…'] : cycle;
  return `Model references go in a cycle: ${[...shown, first].join(' -> ')}.`;
}

function splitProvider(full: string): { provider: string | undefined; model: string } {
  if (testModels.has(full)) return { provider: 'fast-agent', model: full };
  for (const separator of ['/', '.']) {
    const [prefix = '', rest] = splitOnce(full, separator);
    if (rest !== undefined && (prefix === 'fast-agent' || findProvider(prefix) !== undefined))
      return { provider: prefix, model: rest };
  }
  return { provider: undefined, model: full };
}

function parseQuery(query: string, whole: string): Result<Record<string, string | number | boolean>, string> {
  const params: Record<string, string | number | boolean> = {};
  for (const part of query.split('&').filter((text) => text !== '')) {
    const [rawKey = '', value] = splitOnce(part, '=');
    const snake = rawKey.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const key = snake === 'temp' ? 'temperature' : snake;
    if (!numberKeys.has(key) && !otherKeys.has(key))
      return err(`'${rawKey}' in '${whole}' is not a setting of a model. Remove it.`);
    if (value === undefined || value === '') return err(`'${rawKey}' in '${whole}' has no value. Write ${rawKey}=….`);
    const allowed = words[key];
    if (allowed !== undefined && !allowed.includes(value.toLowerCase())) {
      return err(`'${rawKey}=${value}' in '${whole}' must be ${allowed.join(' or ')}.`);
    }
    if (numberKeys.has(key)) {
      const number = Number(value);
      if (!Number.isFinite(number)) return err(`'${rawKey}=${value}' in '${whole}' must be a number.`);
      params[key] = number;
    } else params[key] = /^(?:true|on)$/i.test(value) ? true : /^(?:false|off)$/i.test(value) ? false : value;
  }
  return ok(params);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
