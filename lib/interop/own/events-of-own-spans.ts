/**
 * Makes the events of a run again from the spans that Callboard exported of it. Each span has the numbers of the events that it is made
 * of, so they come in the same order.
 *
 *   span ──startOf, notesOf, endOf──▶ numbered events ──sorted, checked──▶ log of the run
 */
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { withOrigin } from '@/lib/interop/log/origin';
import { withoutSecrets } from '@/lib/interop/log/without-secrets';
import { msOf, type ReceivedSpan, type SpanEvent } from '@/lib/interop/otlp/received-span';
import { marksOfSpans } from '@/lib/interop/spans/marks-of-spans';
import { linksOf } from '@/lib/interop/spans/step-of-span';
import { eventFormat, readEventRecord, UnreadableRecord } from '@/lib/runtime/record/event-format';
import type { ImportedFrom, RunEvent } from '@/lib/runtime/record/events';
import { addUsage, noUsage, type Usage, withRecordedCost } from '@/lib/runtime/record/messages';
import { notRecordedKey } from '@/lib/trace/not-recorded';
import { longestCorrelationId } from '@/lib/trace/run-group';
import { decisionOf } from './read-decision';
import { answerOf, onlyText, requestOf } from './read-texts';
import { SpanFields } from './span-fields';

/** An event with the number that it had in the run. */
interface Numbered {
  readonly seq: number;
  readonly at: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly imported?: ImportedFrom;
}

export interface OwnRun {
  readonly correlationId: CorrelationId;
  readonly events: readonly RunEvent[];
}

/**
 * Returns the run that Callboard exported as these spans. Returns `undefined` if any of them is by someone else, is of a version that did
 * not number events, or is damaged.
 */
export function eventsOfOwnSpans(runId: RunId, spans: readonly ReceivedSpan[]): OwnRun | undefined {
  if (!spans.every(({ scope, attributes }) => scope === 'callboard' && typeof attributes['callboard.seq'] === 'number'))
    return undefined;
  const usage = usageOfInstances(spans);
  const origins = withOrigin(spans.map(beside), spans);
  const numbered = spans
    .flatMap((span, place) => eventsOfSpan(span, usage, origins[place]?.rest ?? {}))
    .sort((a, b) => a.seq - b.seq);
  const root = spans.find((span) => span.attributes['callboard.run_started_seq'] !== undefined);
  const { attributes = {} } = root ?? spans[0] ?? {};
  const correlationId = String(
    attributes['callboard.run_correlation_id'] ?? attributes['callboard.correlation_id'] ?? runId,
  ).slice(0, longestCorrelationId);
  const [first] = numbered;
  const begun = numbered.find(({ body }) => body.kind === 'run.started');
  const finished = numbered.find(({ body }) => body.kind === 'run.finished');
  const start = begun ?? startWithout(spans, correlationId, first?.at ?? 0);
  const marks = marksOfSpans(root === undefined ? [] : [root]);
  const log: readonly Numbered[] = [
    { ...start, body: { ...start.body, runId, correlationId, ...(Object.keys(marks).length > 0 && { marks }) } },
    { ...start, body: importedLine(spans) },
    ...numbered.filter((one) => one !== begun && one !== finished),
    withSums(finished ?? endWithout(numbered), numbered, (path) => usage.get(String(path)) ?? noUsage),
  ];
  const events = checked(log);
  return events && { correlationId: brandAs<CorrelationId>(correlationId), events };
}

/** Returns the events with new numbers; `undefined` if one of them is none. */
function checked(log: readonly Numbered[]): readonly RunEvent[] | undefined {
  try {
    return log.map(({ at, body, imported }, place) =>
      readEventRecord(
        eventFormat,
        JSON.stringify({ seq: place + 1, at, ...body, ...(imported !== undefined && { imported }) }),
      ),
    );
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

/** Returns what a span says beside its attributes. The kind of a model call is that of every export. */
function beside(span: ReceivedSpan): { readonly rest: JsonObject } {
  const { 'span.kind': kind, ...more } = span.more ?? {};
  const isKnown = kind === undefined || (kind === 'client' && span.attributes['gen_ai.operation.name'] === 'chat');
  return { rest: { ...more, ...(!isKnown && { 'span.kind': kind }), ...linksOf(span) } };
}

function eventsOfSpan(span: ReceivedSpan, usage: ReadonlyMap<string, Usage>, origin: JsonObject): readonly Numbered[] {
  const fields = new SpanFields(span.attributes);
  const kind = kindOf(span, fields);
  const parts = kind === 'instance' ? instanceParts(span, fields, usage) : stepParts(kind, span, fields);
  const notes = span.events.flatMap(noteOf);
  // The first event of a step, and the start of an instance, say where the step comes from.
  const own = kind === 'instance' && parts.length > 1 && parts[1]?.body.kind === 'instance.started' ? 1 : 0;
  const imported = importedFrom(span, fields, parts, { ...foreignEvents(span), ...origin });
  return [
    ...parts.map((part, place) => (place === own ? { ...part, imported } : part)),
    ...(kind === 'instance' ? runParts(fields) : []),
    ...notes,
  ];
}

type Kind = 'instance' | 'model' | 'tool' | 'hook' | 'setup';

function kindOf({ name }: ReceivedSpan, fields: SpanFields): Kind {
  if (name === 'callboard.hook') return 'hook';
  if (name.startsWith('callboard.setup ')) return 'setup';
  const operation = fields.text('gen_ai.operation.name');
  return operation === 'chat' ? 'model' : operation === 'execute_tool' ? 'tool' : 'instance';
}

/** Returns an event of which a span has the number, or none if the span does not have it. */
function event(fields: SpanFields, key: string, at: number | undefined, body: Numbered['body']): readonly Numbered[] {
  const seq = fields.number(key);
  return seq === undefined || at === undefined ? [] : [{ seq, at, body }];
}

function moment(fields: SpanFields, key: string): number | undefined {
  const value = fields.value(`${key}_unix_nano`);
  return value === undefined ? undefined : msOf(String(value));
}

function runParts(fields: SpanFields): readonly Numbered[] {
  const started = { kind: 'run.started', message: '', ...fields.carried('run.started') };
  const finished = { kind: 'run.finished', ...fields.carried('run.finished') };
  return [
    ...event(fields, 'callboard.run_started_seq', moment(fields, 'callboard.run_started'), started),
    ...event(fields, 'callboard.run_finished_seq', moment(fields, 'callboard.run_finished'), finished),
  ];
}

function instanceParts(span: ReceivedSpan, fields: SpanFields, usage: ReadonlyMap<string, Usage>): readonly Numbered[] {
  const queued = { kind: 'instance.queued', ...fields.carried('instance.queued') };
  const path = fields.text('callboard.instance') ?? '';
  const input = onlyText(fields, 'gen_ai.input.messages') ?? '';
  const started = { kind: 'instance.started', path, input, ...fields.carried('instance.started') };
  const status = fields.text('callboard.status');
  const answer = onlyText(fields, 'gen_ai.output.messages');
  const error = errorOf(span, fields);
  const ended = {
    kind: 'instance.ended',
    path,
    status,
    usage: usage.get(path) ?? noUsage,
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
    ...(fields.text('callboard.cached') === 'true' && { cached: true }),
  };
  return [
    ...event(fields, 'callboard.seq', span.start, queued),
    ...event(fields, 'callboard.started_seq', moment(fields, 'callboard.started'), started),
    ...event(fields, 'callboard.end_seq', span.end, ended),
  ];
}

function stepParts(kind: Exclude<Kind, 'instance'>, span: ReceivedSpan, fields: SpanFields): readonly Numbered[] {
  const [started, ended] = bodiesOf(kind, span, fields);
  const where = { path: fields.text('callboard.instance') ?? '', step: fields.text('callboard.step') ?? '' };
  return [
    ...event(fields, 'callboard.seq', span.start, { kind: `${kind}.started`, ...started }),
    ...event(fields, 'callboard.end_seq', span.end, { kind: `${kind}.ended`, ...where, ...ended }),
  ];
}

function bodiesOf(
  kind: Exclude<Kind, 'instance'>,
  span: ReceivedSpan,
  fields: SpanFields,
): readonly [started: Numbered['body'], ended: Numbered['body']] {
  const error = errorOf(span, fields);
  switch (kind) {
    case 'setup':
      return [
        { ...fields.carried('setup.started'), name: span.name.slice('callboard.setup '.length) },
        { ...(error !== undefined && { error }) },
      ];
    case 'hook': {
      const changes = (fields.list('callboard.changed') ?? []).map((what) => ({ what, before: null, after: null }));
      const failure = span.failed ? { error: span.statusMessage ?? '' } : {};
      return [fields.carried('hook.started'), { changes, ...fields.carried('hook.ended'), ...failure }];
    }
    case 'model':
      return [modelStart(fields), { ...modelEnd(fields), ...(error !== undefined && { error }) }];
    case 'tool': {
      const cached = fields.text('callboard.cached') === 'true' && { cached: true };
      const started = { arguments: {}, ...fields.carried('tool.started') };
      return [
        started,
        {
          callId: fields.text('gen_ai.tool.call.id'),
          result: resultWithout(fields),
          ...fields.carried('tool.ended'),
          ...cached,
        },
      ];
    }
  }
}

function modelStart(fields: SpanFields): Numbered['body'] {
  const request = requestOf(fields);
  fields.value('gen_ai.request.model');
  return {
    ...{ messageCount: 0, tools: [], ...fields.carried('model.started') },
    ...(request !== undefined && { request }),
  };
}

function modelEnd(fields: SpanFields): Numbered['body'] {
  const message = answerOf(fields);
  const usd = fields.number('gen_ai.usage.cost');
  const seconds = fields.number('gen_ai.response.time_to_first_chunk');
  for (const key of ['gen_ai.response.finish_reasons', 'gen_ai.request.stream']) fields.value(key);
  return {
    ...{ requests: 1, ...fields.carried('model.ended') },
    usage: withRecordedCost(usageIn(fields, 1), usd),
    ...(message !== undefined && { message }),
    ...(usd !== undefined && { costUsd: usd }),
    ...(seconds !== undefined && { firstTokenMs: seconds * 1_000 }),
  };
}

/** The result of a call whose text is not exported. */
function resultWithout(fields: SpanFields): JsonObject {
  const code = fields.text('error.type') ?? fields.text('callboard.error_code');
  const status = fields.text('callboard.status');
  const isError = status === 'error' || status === 'cancelled';
  return { content: [], isError, ...(isError && code !== undefined && code !== '_OTHER' && { errorCode: code }) };
}

function usageIn(fields: SpanFields, modelCalls: number): Usage {
  const written = fields.number('gen_ai.usage.cache_creation.input_tokens') ?? 0;
  return {
    inputTokens: fields.number('gen_ai.usage.input_tokens') ?? 0,
    outputTokens: fields.number('gen_ai.usage.output_tokens') ?? 0,
    cachedInputTokens: fields.number('gen_ai.usage.cache_read.input_tokens') ?? 0,
    reasoningTokens: fields.number('gen_ai.usage.reasoning.output_tokens') ?? 0,
    ...(written > 0 && { cacheWriteTokens: written }),
    modelCalls,
  };
}

/** Returns an error that has a sentence. A failure without one has only a status. */
function errorOf({ statusMessage }: ReceivedSpan, fields: SpanFields): { code: string; message: string } | undefined {
  const code = fields.text('error.type') ?? fields.text('callboard.error_code');
  const message = statusMessage ?? fields.text('callboard.error_message');
  return code === undefined || message === undefined ? undefined : { code, message };
}

const noteKinds: Readonly<Record<string, RunEvent['kind']>> = {
  'callboard.run_suspended': 'run.suspended',
  'callboard.run_resumed': 'run.resumed',
  'callboard.person_asked': 'person.asked',
  'callboard.person_answered': 'person.answered',
  'callboard.decision': 'workflow.decided',
  'callboard.state_changed': 'state.changed',
  'callboard.retry': 'log',
};

/** Returns the events of a span that something else than Callboard added, such as a collector. */
function foreignEvents({ events }: ReceivedSpan): JsonObject {
  const others = events.filter(({ name }) => !Object.hasOwn(noteKinds, name));
  return others.length === 0 ? {} : { 'span.events': others.map((one) => ({ ...one })) };
}

/** Returns the event that an event of a span stands for. */
function noteOf({ name, at, attributes }: SpanEvent): readonly Numbered[] {
  const kind = Object.hasOwn(noteKinds, name) ? noteKinds[name] : undefined;
  const fields = new SpanFields(attributes);
  if (kind === undefined) return [];
  const found = event(fields, 'callboard.seq', at, { kind, ...noteBody(kind, fields), ...fields.carried(kind) });
  if (kind !== 'workflow.decided') return found;
  const imported = { id: '', name, attributes: { [notRecordedKey]: ['reasons'] } };
  const decision = decisionOf(fields);
  return found.map((one) => ({
    ...one,
    body: { ...one.body, decision },
    ...(!fields.has('callboard.decision') && { imported }),
  }));
}

/** What takes the place of texts that are not exported. */
function noteBody(kind: RunEvent['kind'], fields: SpanFields): Numbered['body'] {
  switch (kind) {
    case 'person.asked':
      return { sentence: 'A person was asked. The question was not exported.' };
    case 'person.answered': {
      const decision = fields.text('callboard.decision');
      if (decision === undefined) return {};
      const [by, via] = [fields.text('callboard.answered_by') ?? '', fields.text('callboard.answered_via') ?? ''];
      return { answer: { decision, by, via } };
    }
    case 'state.changed':
      return { delta: {} };
    case 'log':
      return { level: 'warning', message: 'The request was sent again.' };
    default:
      return {};
  }
}

/** Sums what each instance used: what its model calls used, and what its own span says beside them. */
function usageOfInstances(spans: readonly ReceivedSpan[]): ReadonlyMap<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const { attributes } of spans) {
    const fields = new SpanFields(attributes);
    const isCall = fields.text('gen_ai.operation.name') === 'chat';
    if (isCall && !fields.has('callboard.end_seq')) continue;
    const usage = withRecordedCost(usageIn(fields, isCall ? 1 : 0), fields.number('gen_ai.usage.cost'));
    const path = fields.text('callboard.instance') ?? '';
    sums.set(path, addUsage(sums.get(path) ?? noUsage, usage));
  }
  return sums;
}

function importedFrom(
  span: ReceivedSpan,
  fields: SpanFields,
  parts: readonly Numbered[],
  origin: JsonObject,
): ImportedFrom {
  const missing = notRecorded(parts, fields);
  for (const key of known) fields.value(key);
  return {
    id: span.spanId,
    name: span.name,
    attributes: {
      ...withoutSecrets({ ...fields.rest(), ...origin }),
      ...(missing.length > 0 && { [notRecordedKey]: missing }),
    },
  };
}

/** Attributes that repeat what others say. */
const known = [
  'callboard.answered',
  'callboard.depth',
  'callboard.path',
  'callboard.queued_ms',
  'callboard.run_id',
  'callboard.status',
  'callboard.correlation_id',
  'gen_ai.agent.name',
  'gen_ai.conversation.id',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'user.id',
  'tag.tags',
  'metadata',
  'error.type',
  ...['input_tokens', 'output_tokens', 'cost', 'cache_read.input_tokens', 'cache_creation.input_tokens'].map(
    (name) => `gen_ai.usage.${name}`,
  ),
  'gen_ai.usage.reasoning.output_tokens',
];

/** Says which texts of a step the export left out. */
function notRecorded(parts: readonly Numbered[], fields: SpanFields): readonly string[] {
  return parts.flatMap(({ body }): readonly string[] => {
    const isWithout = (key: string) => !fields.has(key);
    switch (body.kind) {
      case 'instance.started':
        return isWithout('gen_ai.input.messages') ? ['input'] : [];
      case 'instance.ended':
        return (body.status === 'completed' || fields.has('callboard.answered')) && isWithout('gen_ai.input.messages')
          ? ['answer']
          : [];
      case 'model.ended':
        return body.error === undefined && isWithout('gen_ai.output.messages') ? ['answer'] : [];
      case 'tool.started':
        return isWithout('gen_ai.tool.call.arguments') ? ['arguments'] : [];
      case 'tool.ended':
        return isWithout('gen_ai.tool.call.result') ? ['result'] : [];
      case 'hook.ended':
        return fields.has('callboard.changed') && isWithout('callboard.changes') ? ['changes'] : [];
      default:
        return [];
    }
  });
}

/** The beginning of a run whose first span has not arrived. */
function startWithout(spans: readonly ReceivedSpan[], correlationId: string, at: number): Numbered {
  const path = String(spans[0]?.attributes['callboard.instance'] ?? '');
  const entryAgent = path.split('/')[0] ?? '';
  return { seq: 0, at, body: { kind: 'run.started', correlationId, entryAgent, message: '', scripted: false } };
}

function endWithout(numbered: readonly Numbered[]): Numbered {
  const at = numbered.reduce((latest, one) => Math.max(latest, one.at), 0);
  const message = 'The spans that were imported end here: the run was under way.';
  return {
    seq: Number.POSITIVE_INFINITY,
    at,
    body: { kind: 'run.finished', status: 'cancelled', error: { code: 'cancelled', message } },
  };
}

/** Adds what all instances used, and those of each agent. */
function withSums(finished: Numbered, numbered: readonly Numbered[], usageOf: (path: unknown) => Usage): Numbered {
  const names = new Map<unknown, string>();
  const agents = new Map<string, Usage>();
  for (const { body } of numbered) {
    if (body.kind === 'instance.queued') names.set(body.path, String(body.agentName));
    if (body.kind !== 'instance.ended') continue;
    const name = names.get(body.path) ?? '';
    agents.set(name, addUsage(agents.get(name) ?? noUsage, usageOf(body.path)));
  }
  const usage = [...agents.values()].reduce(addUsage, noUsage);
  return {
    ...finished,
    body: { ...finished.body, usage, agents: [...agents].map(([agentName, spent]) => ({ agentName, usage: spent })) },
  };
}

function importedLine(spans: readonly ReceivedSpan[]): Numbered['body'] {
  const count = spans.length === 1 ? '1 span' : `${spans.length} spans`;
  const message = `Imported: Callboard recorded this run (${count}). Nothing was executed here.`;
  return { kind: 'log', level: 'info', code: 'imported', message };
}
