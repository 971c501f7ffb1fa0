/**
 * A run as OpenTelemetry traces, by the names of the GenAI semantic conventions. They
 * contain messages, arguments and results only if asked for; a failure has its code and its sentence.
 * `callboard.*` has what the conventions have no name for, so that an import makes the same run again (`lib/interop/own`).
 *
 *   invoke_agent lead                 instance.queued … instance.ended, with workflow.decided as span events
 *   ├ callboard.setup files           setup.started … setup.ended
 *   ├ chat gpt-5                      model.started … model.ended
 *   └ execute_tool agent__writer      tool.started … tool.ended, with person.asked and person.answered as span events
 *     ├ callboard.hook                hook.started … hook.ended
 *     └ invoke_agent writer           the instance that the call made
 *
 * Ids are hashes of the run's id and of the step or path, so that every export of a run gives the same trace.
 */
import { sha256 } from '@/lib/base/sha256';
import type { EventOf, RunEvent, RunStatus } from '@/lib/runtime/record/events';
import { addUsage, firstLine, noUsage, type Usage } from '@/lib/runtime/record/messages';
import { callAround, isSample } from '@/lib/runtime/record/step-key';
import { markAttributes, modelAttributes, nameOf, usageBeside } from './otel-attributes';
import { decisionAttributes, decisionEvent } from './otel-decisions';
import { carriedAttributes } from './otel-fields';
import { answerAttributes, questionEvents } from './otel-questions';
import { OtlpTexts } from './otel-texts';
import {
  integer,
  nanos,
  type OtlpAttribute,
  type OtlpJson,
  type OtlpSpan,
  type SpanFields,
  set,
  text,
  texts,
  toSpan,
} from './otlp-json';
import { shownEvent } from './shown-event';

export interface OtlpOptions {
  /** The `service.name` of the resource; `callboard` by default. */
  readonly serviceName?: string;
  /** True for a trace of which `takeEnded` takes the spans. It forgets them then, so that a long run needs little memory. */
  readonly live?: boolean;
  /** Messages, arguments, results and other texts are exported too. Not with `live`. */
  readonly texts?: boolean;
}

interface AgentSpan extends SpanFields {
  readonly path: string;
  readonly agent: string;
  readonly edgePath: string;
  readonly depth: number;
  /** What the end of the instance reports. */
  usage: Usage;
}

/** Converts event by event, so that a long run need not be in memory. */
export class OtlpTrace {
  private readonly options: OtlpOptions;
  private readonly spans: SpanFields[] = [];
  private readonly agents = new Map<string, AgentSpan>();
  /** The latest span of each step. */
  private readonly steps = new Map<string, SpanFields>();
  /** Spans that have ended and were not taken. Without `live` nobody takes them. */
  private ended: SpanFields[] = [];
  private runId = '';
  private runStatus: RunStatus | undefined;
  private lastAt = 0;
  /** The run was suspended by the last event that says so, and its calls go on. */
  private isSuspended = false;
  /** Open questions to people, with the call that asks. */
  private readonly asking = new Map<string, string>();
  /** What the model calls of each instance used. */
  private readonly spent = new Map<string, Usage>();
  private begin: EventOf<'run.started'> | undefined;
  /** The span of the first instance. */
  private root: AgentSpan | undefined;
  private readonly texts: OtlpTexts | undefined;

  constructor(options: OtlpOptions = {}) {
    this.options = options;
    this.texts = options.texts === true && options.live !== true ? new OtlpTexts() : undefined;
  }

  /** Adds an event. Events must come in the order of their `seq`. */
  add(event: RunEvent): void {
    this.apply(event);
    this.lastAt = event.at;
  }

  /**
   * Returns the spans that have ended since the last call, and with the end of the run also those that never ended. Only with
   * `live`.
   */
  takeEnded(): readonly OtlpSpan[] {
    const traceId = this.traceId();
    const spans = this.ended;
    this.ended = [];
    if (this.runStatus !== undefined) {
      for (const span of [...this.steps.values(), ...this.agents.values()]) {
        if (span.end !== undefined && span !== this.root) continue;
        if (span === this.root) this.root = undefined;
        if (span.end !== undefined) {
          spans.push(span);
          continue;
        }
        span.end = this.lastAt;
        span.status = 'interrupted';
        spans.push(span);
      }
    }
    const taken = spans.map((span) => toSpan(traceId, this.withUsage(span)));
    for (const span of spans) {
      // What comes later needs the id and the place of an agent, but of a step that has ended nothing.
      if (span.step === undefined) span.attributes.length = 0;
      else if (this.steps.get(span.step) === span) this.steps.delete(span.step);
    }
    return taken;
  }

  /** Returns the traces of a run so far. Spans that have not ended end at its last event. */
  toJson(): OtlpJson {
    const traceId = this.traceId();
    const spans = this.spans.map((span): OtlpSpan => {
      const whole = this.withUsage(span);
      if (span.end !== undefined) return toSpan(traceId, whole);
      const status = this.runStatus === undefined ? 'open' : 'interrupted';
      return toSpan(traceId, { ...whole, end: this.lastAt, status });
    });
    return otlpOf(spans, this.options);
  }

  /** Adds to the span of an instance what it used beside its model calls, some of which may end after it. */
  private withUsage(span: SpanFields): SpanFields {
    if (!isAgent(span)) return span;
    const beside = usageBeside(span.usage, this.spent.get(span.path) ?? noUsage);
    return beside.length === 0 ? span : { ...span, attributes: [...span.attributes, ...beside] };
  }

  private traceId(): string {
    return sha256(new TextEncoder().encode(this.runId)).slice(0, 32);
  }

  private apply(event: RunEvent): void {
    switch (event.kind) {
      case 'run.started':
        this.runId = event.runId;
        this.begin = event;
        return;
      case 'run.resumed':
        this.interruptSteps();
        this.isSuspended = false;
        this.noteOn(this.root, event, 'callboard.run_resumed');
        return;
      case 'run.finished':
        this.runStatus = event.status;
        if (this.root !== undefined) {
          this.root.attributes.push(...momentOf('callboard.run_finished', event), ...this.carried(event));
        }
        return;
      case 'instance.queued':
        this.openAgent(event);
        return;
      case 'instance.started':
        this.startAgent(event);
        return;
      case 'instance.ended':
        this.endAgent(event);
        return;
      case 'session.opened':
        this.note(event.path, text('gen_ai.conversation.id', event.sessionId));
        return;
      case 'model.started':
        this.openModel(event);
        return;
      case 'model.ended':
        this.endModel(event);
        return;
      case 'tool.started':
        this.openTool(event);
        return;
      case 'tool.ended':
        this.endTool(event);
        return;
      case 'setup.started':
        this.openStep(event, `callboard.setup ${event.name}`, 'internal', []);
        return;
      case 'setup.ended':
        this.endSetup(event);
        return;
      case 'hook.started':
        this.openStep(event, 'callboard.hook', 'internal', []);
        return;
      case 'hook.ended':
        this.endHook(event);
        return;
      case 'person.asked':
      case 'person.answered':
        this.noteQuestion(event);
        return;
      case 'run.suspended':
        this.isSuspended = true;
        this.noteOn(this.root, event, 'callboard.run_suspended');
        return;
      case 'workflow.decided':
        this.noteOn(this.agents.get(event.path), event, decisionEvent, decisionAttributes(event.decision));
        return;
      case 'state.changed': {
        const call = this.steps.get(event.step) ?? this.agents.get(event.path);
        this.noteOn(call, event, 'callboard.state_changed');
        return;
      }
      case 'log':
        // Other lines of the log are sentences.
        if (event.code === 'model_retry') this.noteOn(this.steps.get(event.step ?? ''), event, 'callboard.retry');
        return;
      default:
        // Other events happen within a span and are not exported.
        return;
    }
  }

  /** Adds an event to a span. */
  private noteOn(
    span: SpanFields | undefined,
    event: RunEvent,
    name: string,
    attributes: readonly OtlpAttribute[] = [],
  ): void {
    span?.events?.push({
      at: event.at,
      name,
      attributes: [...seqOf('callboard.seq', event), ...this.carried(event), ...attributes],
    });
  }

  /** Returns what is exported of an event as it is, and its texts, without secrets, if they are wanted. */
  private carried(event: RunEvent): readonly OtlpAttribute[] {
    if (this.texts === undefined) return carriedAttributes(event, false);
    const shown = shownEvent(event);
    return [...carriedAttributes(shown, true), ...this.texts.of(shown)];
  }

  private endModel(event: EventOf<'model.ended'>): void {
    const status = event.error === undefined ? 'ok' : event.error.code === 'cancelled' ? 'cancelled' : 'error';
    const span = this.close(this.steps.get(event.step), event, status, event.error);
    span?.attributes.push(...modelAttributes(event));
    this.spent.set(event.path, addUsage(this.spent.get(event.path) ?? noUsage, event.usage));
  }

  private endTool(event: EventOf<'tool.ended'>): void {
    const { isError, errorCode } = event.result;
    const error = isError ? { code: errorCode ?? '_OTHER' } : undefined;
    const status = isError ? (errorCode === 'AGENT_CANCELLED' ? 'cancelled' : 'error') : 'ok';
    const span = this.close(this.steps.get(event.step), event, status, error);
    if (event.cached === true) span?.attributes.push(text('callboard.cached', 'true'));
  }

  private endHook(event: EventOf<'hook.ended'>): void {
    const error = event.error === undefined ? undefined : { code: 'HOOK_FAILED', message: event.error };
    const span = this.close(this.steps.get(event.step), event, error ? 'error' : 'ok', error);
    if (event.changes.length > 0) {
      span?.attributes.push(
        texts(
          'callboard.changed',
          event.changes.map(({ what }) => what),
        ),
      );
    }
  }

  private endSetup(event: EventOf<'setup.ended'>): void {
    const { error, step } = event;
    const status = error === undefined ? 'ok' : error.code === 'cancelled' ? 'cancelled' : 'error';
    const message = error && (this.texts === undefined ? firstLine(error.message) : error.message);
    this.close(this.steps.get(step), event, status, error && { code: error.code, message });
  }

  private noteQuestion(event: EventOf<'person.asked'> | EventOf<'person.answered'>): void {
    const { kind, item, step, path } = event;
    if (kind === 'person.asked') this.asking.set(item, callAround(step) ?? step);
    else this.asking.delete(item);
    const span = this.stepAround(step) ?? this.steps.get(step) ?? this.agents.get(path);
    this.noteOn(span, event, questionEvents[kind], kind === 'person.answered' ? answerAttributes(event) : []);
  }

  private openAgent(event: EventOf<'instance.queued'>): void {
    const above = event.parent === undefined ? undefined : this.agents.get(event.parent);
    const call = event.parentStep === undefined ? undefined : this.steps.get(event.parentStep);
    const edgePath = above === undefined ? event.agentName : `${above.edgePath} > ${event.agentName}`;
    const { agentName: agent, depth, path } = event;
    const span: AgentSpan = {
      ...{ path, agent, edgePath, depth, usage: noUsage },
      id: this.spanId(path, event.attempt ?? 1),
      parent: (call ?? above)?.id,
      name: `invoke_agent ${agent}`,
      kind: 'internal',
      start: event.at,
      end: undefined,
      status: 'open',
      error: undefined,
      attributes: [text('gen_ai.operation.name', 'invoke_agent')],
      events: [],
    };
    for (const attribute of [...whereOf(path, span), ...seqOf('callboard.seq', event), ...this.carried(event)]) {
      set(span.attributes, attribute);
    }
    if (above === undefined) span.attributes.push(text('callboard.run_id', this.runId));
    if (this.agents.size === 0) this.openRoot(span);
    this.agents.set(path, span);
    if (this.options.live !== true) this.spans.push(span);
  }

  /** Adds what is known of the whole run to the span of its first instance. */
  private openRoot(span: AgentSpan): void {
    this.root = span;
    if (this.begin === undefined) return;
    const { marks = {} } = this.begin;
    span.attributes.push(...momentOf('callboard.run_started', this.begin), ...markAttributes(marks));
    for (const attribute of this.carried(this.begin)) set(span.attributes, attribute);
  }

  private startAgent(event: EventOf<'instance.started'>): void {
    const span = this.agents.get(event.path);
    if (event.model !== undefined) this.note(event.path, text('gen_ai.request.model', nameOf(event.model)));
    const waited = span === undefined ? 0 : Math.round(event.at - span.start);
    if (waited > 0) this.note(event.path, integer('callboard.queued_ms', waited));
    for (const attribute of [...momentOf('callboard.started', event), ...this.carried(event)]) {
      this.note(event.path, attribute);
    }
  }

  private endAgent(event: EventOf<'instance.ended'>): void {
    const error = event.error ?? (event.status === 'completed' ? undefined : { code: event.status });
    const agent = this.agents.get(event.path);
    if (agent !== undefined) agent.usage = event.usage;
    const span = this.close(agent, event, event.status, error);
    if (event.cached === true) span?.attributes.push(text('callboard.cached', 'true'));
    // A hook may answer in place of an instance that failed. Without texts only this says that there was an answer.
    if (event.status !== 'completed' && event.answer !== undefined)
      span?.attributes.push(text('callboard.answered', 'true'));
  }

  private note(path: string, attribute: OtlpAttribute): void {
    const attributes = this.agents.get(path)?.attributes;
    if (attributes !== undefined) set(attributes, attribute);
  }

  private openModel(event: EventOf<'model.started'>): void {
    const name = event.modelName ?? nameOf(event.model);
    const who = [text('gen_ai.request.model', name)];
    if (event.provider !== undefined) who.push(text('gen_ai.provider.name', event.provider));
    const session = this.agents.get(event.path)?.attributes.filter(({ key }) => key === 'gen_ai.conversation.id') ?? [];
    this.openStep(event, `chat ${name}`, 'client', [text('gen_ai.operation.name', 'chat'), ...who, ...session]);
    // A model that a server asked for in a tool call is not the agent's own.
    if (!isSample(event.step)) for (const attribute of who) this.note(event.path, attribute);
  }

  private openTool(event: EventOf<'tool.started'>): void {
    // A delegation in flight continues after a crash, because its child is resumed.
    const before = this.steps.get(event.step);
    if (before?.isDelegation === true && before.end === undefined) return;
    this.openStep(
      event,
      `execute_tool ${event.toolName}`,
      'internal',
      [text('gen_ai.operation.name', 'execute_tool')],
      {
        isTool: true,
        isDelegation: event.source === 'agent',
      },
    );
  }

  private openStep(
    event: EventOf<`${'setup' | 'model' | 'tool' | 'hook'}.started`>,
    name: string,
    kind: SpanFields['kind'],
    attributes: OtlpAttribute[],
    ofTool: Pick<SpanFields, 'isTool' | 'isDelegation'> = {},
  ): void {
    const agent = this.agents.get(event.path);
    if (agent !== undefined) attributes.push(...whereOf(event.path, agent));
    for (const attribute of [...seqOf('callboard.seq', event), ...this.carried(event)]) set(attributes, attribute);
    const span: SpanFields = {
      id: this.spanId(event.step, 'attempt' in event ? event.attempt : 1),
      parent: (this.stepAround(event.step) ?? agent)?.id,
      ...{ name, kind, attributes, ...ofTool, step: event.step, events: [] },
      start: event.at,
      end: undefined,
      status: 'open',
      error: undefined,
    };
    this.steps.set(event.step, span);
    if (this.options.live !== true) this.spans.push(span);
  }

  /** Returns the span of the tool call that a hook or a model call belongs to. */
  private stepAround(step: string): SpanFields | undefined {
    const call = callAround(step);
    return call === undefined ? undefined : this.steps.get(call);
  }

  /** Ends a span. Events of the log end it only once. */
  private close(
    span: SpanFields | undefined,
    event: EventOf<`${'instance' | 'setup' | 'model' | 'tool' | 'hook'}.ended`>,
    status: string,
    error: SpanFields['error'],
  ): SpanFields | undefined {
    if (span === undefined || span.end !== undefined) return undefined;
    for (const attribute of [...seqOf('callboard.end_seq', event), ...this.carried(event)])
      set(span.attributes, attribute);
    this.endSpan(span, event.at, status, error);
    return span;
  }

  private endSpan(span: SpanFields, at: number, status: string, error: SpanFields['error']): void {
    span.end = at;
    span.status = status;
    span.error = error;
    // The end of the run belongs to the span of its first instance.
    if (this.options.live === true && span !== this.root) this.ended.push(span);
  }

  /** Ends steps in flight at the last event before a crash. They start again, but not calls that wait for people. */
  private interruptSteps(): void {
    const waiting = new Set(this.asking.values());
    for (const [step, span] of this.steps) {
      if (span.isTool === true && (this.isSuspended || waiting.has(step))) continue;
      if (span.isDelegation !== true && span.end === undefined)
        this.endSpan(span, this.lastAt, 'interrupted', undefined);
    }
  }

  private spanId(of: string, attempt: number): string {
    return sha256(new TextEncoder().encode(`${this.runId}\n${of}\n${attempt}`)).slice(0, 16);
  }
}

/** Returns an OTLP request with these spans. */
export function otlpOf(spans: readonly OtlpSpan[], { serviceName = 'callboard' }: OtlpOptions): OtlpJson {
  const resource = { attributes: [text('service.name', serviceName)] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'callboard' }, spans }] }] };
}

/**
 * Returns where an instance is: `callboard.path` has the agents along the edges, and `callboard.instance` the instance
 * itself.
 */
function whereOf(path: string, { agent, edgePath, depth }: AgentSpan): OtlpAttribute[] {
  return [
    text('gen_ai.agent.name', agent),
    text('callboard.instance', path),
    text('callboard.path', edgePath),
    integer('callboard.depth', depth),
  ];
}

function isAgent(span: SpanFields): span is AgentSpan {
  return span.step === undefined;
}

/** Returns the number of an event, by which an import puts events of one moment in their order. */
function seqOf(key: string, { seq }: RunEvent): readonly OtlpAttribute[] {
  return [integer(key, seq)];
}

/** Returns the number and the moment of an event that has no span and no span event. */
function momentOf(key: string, event: RunEvent): readonly OtlpAttribute[] {
  return [...seqOf(`${key}_seq`, event), { key: `${key}_unix_nano`, value: { intValue: nanos(event.at) } }];
}
