import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { redactJson, secretKeys } from '@/lib/base/redact';
import { markLimits, marksOf, type RunMarks } from '@/lib/base/run-marks';
import type { Attributes, ReceivedSpan } from '@/lib/interop/otlp/received-span';

/*
 * User, tags and metadata of a trace, by the names that OpenInference, Langfuse, LangSmith, Traceloop, the Vercel AI SDK and the
 * conventions of OpenTelemetry have for them. Spans come before the resource, the root before other spans; the first value of a name counts.
 */

const userKeys = [
  'user.id',
  'langfuse.user.id',
  'enduser.id',
  'traceloop.association.properties.user_id',
  'langsmith.metadata.user_id',
  'ai.telemetry.metadata.userId',
];
const tagKeys = ['tag.tags', 'langfuse.trace.tags', 'langsmith.span.tags', 'ai.telemetry.metadata.tags'];
const metadataKeys = ['metadata', 'langfuse.trace.metadata'];
const metadataPrefixes = [
  'langfuse.trace.metadata.',
  'langsmith.metadata.',
  'traceloop.association.properties.',
  'ai.telemetry.metadata.',
];
/** Attributes that have a name of their own as metadata. */
const named = [
  ['deployment.environment.name', 'environment'],
  ['deployment.environment', 'environment'],
  ['langfuse.environment', 'environment'],
] as const;

/** Returns what the spans of a trace say about it. What is too long is cut, and what is beyond a limit is left out. */
export function marksOfSpans(spans: readonly ReceivedSpan[]): RunMarks {
  const root = spans.find(({ parentId }) => parentId === undefined);
  const ordered = root === undefined ? spans : [root, ...spans.filter((span) => span !== root)];
  const sources = [...ordered.map(({ attributes }) => attributes), ...new Set(ordered.map(({ resource }) => resource))];
  const tags = new Set<string>();
  const metadata = new Map<string, string>();
  let user: string | undefined;
  for (const attributes of sources) {
    user ??= firstText(attributes, userKeys);
    for (const tag of tagsOf(attributes)) if (tags.size < markLimits.tags) tags.add(tag);
    for (const [key, value] of metadataOf(attributes)) {
      if (!metadata.has(key) && metadata.size < markLimits.keys) metadata.set(key, value);
    }
  }
  return marksOf({ user, tags: [...tags], metadata: Object.fromEntries(metadata) });
}

function firstText(attributes: Attributes, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = lineOf(attributes[key], markLimits.user);
    if (text !== undefined) return text;
  }
  return undefined;
}

function tagsOf(attributes: Attributes): readonly string[] {
  return tagKeys.flatMap((key) => {
    const value = attributes[key];
    const parsed = typeof value === 'string' ? (parseJson(value) ?? value) : value;
    const list: readonly unknown[] = Array.isArray(parsed)
      ? parsed
      : typeof parsed === 'string'
        ? parsed.split(',')
        : [];
    return list.flatMap((tag) => (typeof tag === 'string' ? (lineOf(tag, markLimits.tag) ?? []) : []));
  });
}

function* metadataOf(attributes: Attributes): Generator<readonly [key: string, value: string]> {
  for (const key of metadataKeys) {
    const value = attributes[key];
    const parsed = typeof value === 'string' ? parseJson(value) : value;
    if (!isRecord(parsed)) continue;
    for (const [name, each] of Object.entries(parsed)) yield* entryOf(name, each);
  }
  for (const [key, value] of Object.entries(attributes)) {
    const prefix = metadataPrefixes.find((each) => key.startsWith(each));
    if (prefix !== undefined && !userKeys.includes(key) && !tagKeys.includes(key)) {
      yield* entryOf(key.slice(prefix.length), value);
    }
  }
  for (const [key, name] of named) yield* entryOf(name, attributes[key]);
}

const isSecret = secretKeys();

/** A value that is no text, number or flag is none that a filter could compare. One with the name of a secret is left out. */
function* entryOf(name: string, value: Json | undefined): Generator<readonly [key: string, value: string]> {
  if (!/^[\w.-]{1,64}$/.test(name) || isSecret(name)) return;
  const text = lineOf(value && redactJson(value, isSecret), markLimits.value);
  if (text !== undefined) yield [name, text];
}

function lineOf(value: Json | undefined, most: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const line = String(value)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most);
  return line === '' ? undefined : line;
}
