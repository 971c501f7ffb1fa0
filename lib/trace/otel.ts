/**
 * A run as OpenTelemetry traces, by the names of the GenAI semantic conventions. They
 * contain no messages, arguments or results; a failure has its code and its sentence.
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
import type { RunEvent, RunStatus } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import { callAround, isSample } from '@/lib/runtime/record/step-key';
import { modelAttributes, nameOf, toolAttributes } from './otel-attributes';
import { decisionAttributes, decisionEvent } from './otel-decisions';
import { questionAttributes, questionEvents } from './otel-questions';
import {
  integer,
  type OtlpAttribute,
  type OtlpJson,
  type OtlpSpan,
  type SpanFields,
  set,
  text,
  toSpan,
} from './otlp-json';

export interface OtlpOptions {
  /** The `service.name` of the resource; `callboard` by default. */
  readonly serviceName?: string;
  /** True for a trace of which `takeEnded` takes the spans. It forgets them then, so that a long run needs little memory. */
  readonly live?: boolean;
}

type Of<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

interface AgentSpan extends SpanFields {
  readonly agent: string;
  readonly edgePath: string;
  readonly depth: number;
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

  constructor(options: OtlpOptions = {}) {
    this.options = options;
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
        if (span.end !== undefined) continue;
        span.end = this.lastAt;
        span.status = 'interrupted';
        spans.push(span);
      }
    }
    const taken = spans.map((span) => toSpan(traceId, span));
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
      if (span.end !== undefined) return toSpan(traceId, span);
      const status = this.runStatus === undefined ? 'open' : 'interrupted';
      return toSpan(traceId, { ...span, end: this.lastAt, status });
    });
    return otlpOf(spans, this.options);
  }

  private traceId(): string {
    return sha256(new TextEncoder().encode(this.runId)).slice(0, 32);
  }

  private apply(event: RunEvent): void {
    switch (event.kind) {
      case 'run.started':
        this.runId = event.runId;
        return;
      case 'run.resumed':
        this.interruptSteps();
        this.isSuspended = false;
        return;
      case 'run.finished':
        this.runStatus = event.status;
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
      case 'model.ended': {
        const status = event.error === undefined ? 'ok' : event.error.code === 'cancelled' ? 'cancelled' : 'error';
        const span = this.close(this.steps.get(event.step), event.at, status, event.error);
        span?.attributes.push(...modelAttributes(event));
        return;
      }
      case 'tool.started':
        this.openTool(event);
        return;
      case 'tool.ended': {
        const { isError, errorCode } = event.result;
        const error = isError ? { code: errorCode ?? '_OTHER' } : undefined;
        const status = isError ? (errorCode === 'AGENT_CANCELLED' ? 'cancelled' : 'error') : 'ok';
        const span = this.close(this.steps.get(event.step), event.at, status, error);
        if (event.cached === true) span?.attributes.push(text('callboard.cached', 'true'));
        return;
      }
      case 'setup.started':
        this.openStep({ ...event, attempt: 1 }, `callboard.setup ${event.name}`, 'internal', [
          text('callboard.setup', event.what),
        ]);
        return;
      case 'setup.ended':
        this.endSetup(event);
        return;
      case 'hook.started':
        this.openStep(event, 'callboard.hook', 'internal', [
          text('callboard.hook', event.hook),
          text('callboard.phase', event.phase),
        ]);
        return;
      case 'hook.ended': {
        const error = event.error === undefined ? undefined : { code: 'HOOK_FAILED', message: event.error };
        this.close(this.steps.get(event.step), event.at, error ? 'error' : 'ok', error);
        return;
      }
      case 'person.asked':
      case 'person.answered':
        this.noteQuestion(event);
        return;
      case 'run.suspended':
        this.isSuspended = true;
        return;
      case 'workflow.decided':
        this.agents
          .get(event.path)
          ?.events?.push({ at: event.at, name: decisionEvent, attributes: decisionAttributes(event.decision) });
        return;
      default:
        // Other events happen within a span and are not exported.
        return;
    }
  }

  private endSetup({ step, at, error }: Of<'setup.ended'>): void {
    const status = error === undefined ? 'ok' : error.code === 'cancelled' ? 'cancelled' : 'error';
    this.close(this.steps.get(step), at, status, error && { code: error.code, message: firstLine(error.message) });
  }

  private noteQuestion(event: Of<'person.asked'> | Of<'person.answered'>): void {
    const { kind, item, step, path, at } = event;
    if (kind === 'person.asked') this.asking.set(item, callAround(step) ?? step);
    else this.asking.delete(item);
    const span = this.stepAround(step) ?? this.steps.get(step) ?? this.agents.get(path);
    span?.events?.push({ at, name: questionEvents[kind], attributes: questionAttributes(event) });
  }

  private openAgent(event: Of<'instance.queued'>): void {
    const above = event.parent === undefined ? undefined : this.agents.get(event.parent);
    const call = event.parentStep === undefined ? undefined : this.steps.get(event.parentStep);
    const edgePath = above === undefined ? event.agentName : `${above.edgePath} > ${event.agentName}`;
    const { agentName: agent, depth, path } = event;
    const span: AgentSpan = {
      ...{ agent, edgePath, depth },
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
    span.attributes.push(...whereOf(path, span), text('callboard.correlation_id', event.correlationId));
    if (above === undefined) span.attributes.push(text('callboard.run_id', this.runId));
    this.agents.set(path, span);
    if (this.options.live !== true) this.spans.push(span);
  }

  private startAgent(event: Of<'instance.started'>): void {
    const span = this.agents.get(event.path);
    if (event.model !== undefined) this.note(event.path, text('gen_ai.request.model', nameOf(event.model)));
    const waited = span === undefined ? 0 : Math.round(event.at - span.start);
    if (waited > 0) this.note(event.path, integer('callboard.queued_ms', waited));
  }

  /**
   * Ends the span of an agent. It has no tokens: they are on the spans of model calls, and a sum over the trace would count
   * them twice.
   */
  private endAgent(event: Of<'instance.ended'>): void {
    const error = event.error ?? (event.status === 'completed' ? undefined : { code: event.status });
    const span = this.close(this.agents.get(event.path), event.at, event.status, error);
    if (event.cached === true) span?.attributes.push(text('callboard.cached', 'true'));
  }

  private note(path: string, attribute: OtlpAttribute): void {
    const attributes = this.agents.get(path)?.attributes;
    if (attributes !== undefined) set(attributes, attribute);
  }

  private openModel(event: Of<'model.started'>): void {
    const name = event.modelName ?? nameOf(event.model);
    const who = [text('gen_ai.request.model', name)];
    if (event.provider !== undefined) who.push(text('gen_ai.provider.name', event.provider));
    const session = this.agents.get(event.path)?.attributes.filter(({ key }) => key === 'gen_ai.conversation.id') ?? [];
    this.openStep(event, `chat ${name}`, 'client', [text('gen_ai.operation.name', 'chat'), ...who, ...session]);
    // A model that a server asked for in a tool call is not the agent's own.
    if (!isSample(event.step)) for (const attribute of who) this.note(event.path, attribute);
  }

  private openTool(event: Of<'tool.started'>): void {
    // A delegation in flight continues after a crash, because its child is resumed.
    const before = this.steps.get(event.step);
    if (before?.isDelegation === true && before.end === undefined) return;
    this.openStep(event, `execute_tool ${event.toolName}`, 'internal', toolAttributes(event), {
      isTool: true,
      isDelegation: event.source === 'agent',
      events: [],
    });
  }

  private openStep(
    event: { readonly path: string; readonly step: string; readonly attempt: number; readonly at: number },
    name: string,
    kind: SpanFields['kind'],
    attributes: OtlpAttribute[],
    ofTool: Pick<SpanFields, 'isTool' | 'isDelegation' | 'events'> = {},
  ): void {
    const agent = this.agents.get(event.path);
    if (agent !== undefined) attributes.push(...whereOf(event.path, agent));
    if (event.attempt > 1) attributes.push(integer('callboard.attempt', event.attempt));
    const span: SpanFields = {
      id: this.spanId(event.step, event.attempt),
      parent: (this.stepAround(event.step) ?? agent)?.id,
      ...{ name, kind, attributes, ...ofTool, step: event.step },
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

  private close(
    span: SpanFields | undefined,
    at: number,
    status: string,
    error: SpanFields['error'],
  ): SpanFields | undefined {
    if (span === undefined || span.end !== undefined) return undefined;
    span.end = at;
    span.status = status;
    span.error = error;
    if (this.options.live === true) this.ended.push(span);
    return span;
  }

  /** Ends steps in flight at the last event before a crash. They start again, but not calls that wait for people. */
  private interruptSteps(): void {
    const waiting = new Set(this.asking.values());
    for (const [step, span] of this.steps) {
      if (span.isTool === true && (this.isSuspended || waiting.has(step))) continue;
      if (span.isDelegation !== true) this.close(span, this.lastAt, 'interrupted', undefined);
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
