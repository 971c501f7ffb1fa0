import type { HookLine, HookStep } from '@/lib/base/hook-report';
import type { StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { HookLayer, LayerCall, LayerOutcome, PlacedLayer } from '@/lib/runtime/hook-layers/hook-layer';
import { scrubbedArguments, scrubbedResult } from '@/lib/runtime/hook-layers/hook-layer';
import type { LogBody, Ports } from '@/lib/runtime/ports';
import type { EventBody } from '@/lib/runtime/record/events';
import type { ToolResult } from '@/lib/runtime/record/messages';

type Started = Extract<EventBody, { kind: 'hook.started' }>;
type Ended = Extract<EventBody, { kind: 'hook.ended' }>;

/** What is known of one execution of a hook. */
export interface Watched {
  readonly hook: string;
  readonly step: StepKey;
  readonly place: number | undefined;
  readonly phase: string;
  /** What a layer got and gave. A phase hook has none. */
  received?: JsonObject;
  passed?: JsonObject;
  answered?: ToolResult | undefined;
  returned?: ToolResult;
  ended?: Ended;
  startedAt: number;
  endedAt: number;
  /** Milliseconds in which the hook waited for the hooks below it. */
  belowMs: number;
  readonly log: HookLine[];
}

/**
 * Watches hooks that a chain or a turn runs: the events that a run would record, and beside them the whole arguments and
 * results, of which events have only the changes.
 */
export class HookObserver {
  readonly watched: Watched[] = [];
  /** Lines of the call that belong to no hook. */
  readonly log: HookLine[] = [];
  private readonly clock: Ports['clock'];

  constructor(clock: Ports['clock']) {
    this.clock = clock;
  }

  readonly events: Ports['events'] = {
    append: (event) => {
      if (event.kind === 'hook.started') this.begin(event);
      if (event.kind === 'hook.ended') this.end(event);
    },
    flush: async () => undefined,
  };

  note({ level, message }: LogBody, step: StepKey | undefined): void {
    const lines = this.watched.findLast((one) => one.step === step)?.log ?? this.log;
    if (lines.length < mostLines) lines.push({ level, message: message.slice(0, longestLine) });
  }

  /** Returns layers that behave as the given ones and are watched. */
  watch(layers: readonly PlacedLayer[]): readonly PlacedLayer[] {
    return layers.map(({ layer, place }) => ({
      place,
      layer: { ...layer, around: (call) => this.around(layer, place, call) },
    }));
  }

  private begin({ hook, step, phase, around }: Started): void {
    const place = around === undefined ? undefined : Number(/\.h(\d+)$/.exec(step)?.[1]);
    const now = this.clock.now();
    this.watched.push({ hook, step, place, phase, startedAt: now, endedAt: now, belowMs: 0, log: [] });
  }

  private end(event: Ended): void {
    const one = this.watched.findLast(({ step }) => step === event.step);
    if (one === undefined) return;
    one.ended = event;
    one.endedAt = this.clock.now();
  }

  private async around(layer: HookLayer, place: number, call: LayerCall): Promise<LayerOutcome> {
    // The chain has recorded the start of this execution just before.
    const one = this.watched.findLast((candidate) => candidate.place === place);
    if (one === undefined) return await layer.around(call);
    one.received = call.args;
    const outcome = await layer.around({
      ...call,
      next: async (args, to) => {
        one.passed = args;
        const from = this.clock.now();
        const answered = await call.next(args, to);
        one.belowMs += this.clock.now() - from;
        one.answered = answered;
        return answered;
      },
    });
    if (outcome.ok) one.returned = outcome.result;
    return outcome;
  }
}

const mostLines = 200;
const longestLine = 4_000;

/** Describes a watched layer. Values that layers hide in records are hidden here too. */
export function layerStep(one: Watched, layers: readonly PlacedLayer[], recordable: (value: Json) => Json): HookStep {
  const shownArguments = (args: JsonObject) => recordable(scrubbedArguments(layers, args));
  const shownResult = (result: ToolResult) => recordable(asJson(scrubbedResult(layers, result)));
  const { received, passed, answered, returned } = one;
  const error = one.ended?.error;
  // The chain makes the result of a hook that failed.
  const changed = one.ended?.changes.find(({ what }) => what === 'result')?.after;
  const after = error === undefined ? returned && shownResult(returned) : changed;
  return {
    ...common(one),
    place: one.place,
    ...(received && {
      arguments: { before: shownArguments(received), ...(passed && { after: shownArguments(passed) }) },
    }),
    ...(after !== undefined && { result: { ...(answered && { before: shownResult(answered) }), after } }),
  };
}

/** Describes a watched phase hook. A change of the call's arguments or of its result is shown as such. */
export function phaseStep(one: Watched, recordable: (value: Json) => Json): HookStep {
  const changes = (one.ended?.changes ?? []).map(({ what, before, after }) => ({
    what,
    before: recordable(before),
    after: recordable(after),
  }));
  const message = changes.find(({ what }) => what === 'message');
  const others = changes.filter((change) => change !== message);
  const [before, after] = [message && partOf(message.before), message && partOf(message.after)];
  if (message === undefined || before === undefined || before.what !== after?.what) {
    return { ...common(one), ...(changes.length > 0 && { changes }) };
  }
  return {
    ...common(one),
    [before.what]: { before: before.value, after: after.value },
    ...(others.length > 0 && { changes: others }),
  };
}

/** Returns the arguments or the result of the one call that a message has. */
function partOf(message: Json): { readonly what: 'arguments' | 'result'; readonly value: Json } | undefined {
  if (!isRecord(message)) return undefined;
  const { toolCalls, results } = message;
  const [call] = Array.isArray(toolCalls) ? toolCalls : [];
  if (isRecord(call) && typeof call.argumentsText === 'string') {
    return { what: 'arguments', value: parseJson(call.argumentsText) ?? call.argumentsText };
  }
  const [named] = Array.isArray(results) ? results : [];
  return isObject(named) && named.result !== undefined ? { what: 'result', value: named.result } : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

function common(one: Watched): Pick<HookStep, 'hook' | 'phase' | 'state' | 'calledNext' | 'log' | 'ms' | 'error'> {
  const error = one.ended?.error;
  return {
    hook: one.hook,
    phase: one.phase,
    state: error === undefined ? 'done' : 'failed',
    calledNext: one.ended?.calledNext ?? false,
    log: one.log,
    ms: Math.max(0, one.endedAt - one.startedAt - one.belowMs),
    ...(error !== undefined && { error }),
  };
}

/** A result holds only JSON, but its type has optional fields, which the type `Json` does not allow. */
export function asJson(value: unknown): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}
