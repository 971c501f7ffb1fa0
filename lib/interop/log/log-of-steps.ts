import {
  brandAs,
  type CallId,
  type CorrelationId,
  type EpochMs,
  type InstancePath,
  type RunId,
  type StepKey,
} from '@/lib/base/ids';
import { isRecord, type JsonObject } from '@/lib/base/json';
import { redactJson, secretKeys } from '@/lib/base/redact';
import type { EventBody, ImportedFrom, RunEvent, RunStatus } from '@/lib/runtime/record/events';
import { addUsage, noUsage, textOf, type Usage } from '@/lib/runtime/record/messages';
import { keyInCall, sampleKey, stepKey } from '@/lib/runtime/record/step-key';
import type { ImportedStep } from './imported-step';
import { type PlacedStep, placeSteps } from './place-steps';
import { toolResultOf } from './tool-result';

/** What the events of an imported run say about the run itself. */
export interface ImportedRunFacts {
  readonly runId: RunId;
  readonly correlationId: CorrelationId;
  /** The name of the instance that is made up when the trace has no single agent at its top. */
  readonly name: string;
  /** The name of who recorded the run, for the log. */
  readonly recordedBy: string;
  readonly message?: string | undefined;
  readonly answer?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** Sentences for the log. */
  readonly notes?: readonly string[] | undefined;
}

interface TimedEvent {
  readonly at: number;
  readonly body: EventBody;
  readonly imported?: ImportedFrom | undefined;
}

/** An instance while its steps are written. */
interface Lane {
  readonly path: InstancePath;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  readonly model: string | undefined;
  readonly numbers: { m: number; t: number; h: number; s: number };
  readonly children: Map<string, number>;
  usage: Usage;
  /** The text of the last answer of its models. */
  lastAnswer: string | undefined;
}

/** The step that a place belongs to, if it is inside a tool call. */
interface Around {
  readonly step: StepKey;
  readonly place: PlacedStep;
  readonly callId: CallId;
  readonly correlationId: CorrelationId;
  samples: number;
  hooks: number;
}

/**
 * Makes the events of a run from the steps of a foreign trace, in the order of time. The same steps always give the same
 * events. Every step is in the log, whatever its kind, and its unmapped attributes are on its first event.
 */
export function logOfSteps(steps: readonly ImportedStep[], facts: ImportedRunFacts): readonly RunEvent[] {
  return new ImportedLog(facts).write(steps);
}

type Task =
  | { readonly open: PlacedStep; readonly lane: Lane; readonly around: Around | undefined }
  | { readonly close: () => void };

class ImportedLog {
  private readonly facts: ImportedRunFacts;
  private readonly events: TimedEvent[] = [];
  private readonly paths = new Set<string>();
  private readonly spending = new Map<string, Usage>();
  private readonly counts = { orphans: 0, skewed: 0, unknown: 0, ends: 0, estimated: 0 };
  private entry: Lane | undefined;

  constructor(facts: ImportedRunFacts) {
    this.facts = facts;
  }

  write(steps: readonly ImportedStep[]): readonly RunEvent[] {
    const tops = steps.length === 0 ? [] : placeSteps(steps);
    const start = tops[0]?.start ?? 0;
    const end = this.lastEnd(tops);
    const [only] = tops;
    const root = tops.length === 1 && only?.isInstance === true ? only : madeUp(tops, this.facts.name, start, end);
    const tasks: Task[] = [];
    this.openInstance(root, undefined, undefined, tasks);
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      if ('close' in task) task.close();
      else this.openStep(task.open, task.lane, task.around, tasks);
    }
    return this.finish(root, start, end, steps.length);
  }

  private lastEnd(tops: readonly PlacedStep[]): number {
    let last = 0;
    const open = [...tops];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      last = Math.max(last, place.end);
      for (const child of place.children) open.push(child);
      this.count(place);
    }
    return last;
  }

  private count({ step, isOrphan, skewMs }: PlacedStep): void {
    if (isOrphan) this.counts.orphans += 1;
    if (skewMs > 0) this.counts.skewed += 1;
    if (step.kind === 'unknown') this.counts.unknown += 1;
    if (step.end === undefined) this.counts.ends += 1;
    if (step.estimated.length > 0) this.counts.estimated += 1;
  }

  private openStep(place: PlacedStep, lane: Lane, around: Around | undefined, tasks: Task[]): void {
    if (place.isInstance) this.openInstance(place, lane, around, tasks);
    else if (place.step.kind === 'model') this.openModel(place, lane, around, tasks);
    else if (place.step.kind === 'hook') this.openHook(place, lane, around, tasks);
    else if (place.step.kind === 'setup') this.openSetup(place, lane, around, tasks);
    else this.openTool(place, lane, tasks);
  }

  private openInstance(place: PlacedStep, above: Lane | undefined, around: Around | undefined, tasks: Task[]): void {
    const { step } = place;
    const lane = this.laneFor(step, above, around);
    this.entry ??= lane;
    this.emit(place.start, {
      kind: 'instance.queued',
      path: lane.path,
      agentName: step.name,
      instanceName: decodedName(lane.path),
      correlationId: lane.correlationId,
      depth: lane.depth,
      ...(above !== undefined && { parent: above.path, parentCorrelationId: above.correlationId }),
      ...(around !== undefined && { callId: around.callId, parentStep: around.step }),
    });
    const started = Math.min(place.start + (step.queuedMs ?? 0), place.end);
    const { input = '', model } = step;
    this.emit(
      started,
      { kind: 'instance.started', path: lane.path, input, ...(model !== undefined && { model }) },
      place,
    );
    tasks.push({ close: () => this.closeInstance(place, lane) });
    pushChildren(place, lane, undefined, tasks);
  }

  private laneFor(step: ImportedStep, above: Lane | undefined, around: Around | undefined): Lane {
    const name = step.name.replaceAll('/', '%2F') || 'agent';
    const known = step.path !== undefined && !this.paths.has(step.path) ? step.path : undefined;
    let path = known ?? name;
    if (known === undefined && above !== undefined) {
      do {
        const number = (above.children.get(name) ?? 0) + 1;
        above.children.set(name, number);
        path = `${above.path}/${name}[${number}]`;
      } while (this.paths.has(path));
    }
    this.paths.add(path);
    return {
      path: brandAs<InstancePath>(path),
      correlationId:
        around?.correlationId ?? (above === undefined ? this.facts.correlationId : this.correlationOf(step.id)),
      depth: above === undefined ? 0 : above.depth + 1,
      model: step.model,
      numbers: { m: 0, t: 0, h: 0, s: 0 },
      children: new Map(),
      usage: noUsage,
      lastAnswer: undefined,
    };
  }

  private correlationOf(id: string): CorrelationId {
    return brandAs<CorrelationId>(`${this.facts.correlationId}:${id}`);
  }

  private closeInstance(place: PlacedStep, lane: Lane): void {
    const { outcome, error, message, usage, name } = place.step;
    const output = place.step.output ?? (message && textOf(message.content));
    // Usage of an agent repeats that of its models, unless the trace has no models.
    const own = place.hasModels ? lane.usage : (usage ?? noUsage);
    this.spending.set(name, addUsage(this.spending.get(name) ?? noUsage, own));
    const answer = output ?? (outcome === 'ok' ? lane.lastAnswer : undefined);
    this.emit(place.end, {
      kind: 'instance.ended',
      path: lane.path,
      status: outcome === 'ok' ? 'completed' : outcome,
      usage: own,
      ...(answer !== undefined && { answer }),
      ...(error !== undefined && { error }),
    });
  }

  private openModel(place: PlacedStep, lane: Lane, around: Around | undefined, tasks: Task[]): void {
    const { step: from } = place;
    if (around !== undefined) around.samples += 1;
    else lane.numbers.m += 1;
    const step =
      around === undefined ? stepKey(lane.path, 'm', lane.numbers.m) : sampleKey(around.step, around.samples);
    const model = from.model ?? from.name;
    const { provider, messageCount = 0, tools = [] } = from;
    const named = provider === undefined ? {} : { provider, modelName: model };
    const began = {
      kind: 'model.started',
      path: lane.path,
      step,
      attempt: 1,
      model,
      messageCount,
      tools,
      ...named,
    } as const;
    this.emit(place.start, began, place);
    const usage = { ...(from.usage ?? noUsage), modelCalls: 1 };
    lane.usage = addUsage(lane.usage, usage);
    const close = () => {
      const { message, costUsd, firstTokenMs, error } = from;
      if (message !== undefined && around === undefined) lane.lastAnswer = textOf(message.content) || lane.lastAnswer;
      const failure =
        from.outcome === 'ok' ? undefined : (error ?? { code: from.outcome, message: 'The call did not succeed.' });
      this.emit(place.end, {
        ...{ kind: 'model.ended', path: lane.path, step, usage, requests: 1 },
        ...(message !== undefined && { message }),
        ...(failure !== undefined && {
          error: from.outcome === 'cancelled' ? { ...failure, code: 'cancelled' } : failure,
        }),
        ...(costUsd !== undefined && { costUsd }),
        ...(firstTokenMs !== undefined && { firstTokenMs }),
      });
    };
    tasks.push({ close });
    pushChildren(place, lane, around, tasks);
  }

  private openTool(place: PlacedStep, lane: Lane, tasks: Task[]): void {
    const { step: from } = place;
    lane.numbers.t += 1;
    const step = stepKey(lane.path, 't', lane.numbers.t);
    const callId = brandAs<CallId>(from.callId ?? from.id);
    const correlationId = this.correlationOf(from.id);
    const isTool = from.kind === 'tool';
    this.emit(
      place.start,
      {
        ...{ kind: 'tool.started', path: lane.path, step, attempt: 1, callId, correlationId, toolName: from.name },
        source: place.makesInstance ? 'agent' : isTool ? (from.source ?? 'function') : 'runtime',
        ...(from.serverName !== undefined && { serverName: from.serverName }),
        arguments: from.arguments ?? (isTool || from.input === undefined ? {} : from.input),
      },
      place,
    );
    const failure = from.outcome === 'ok' ? undefined : (from.error?.message ?? `The call ended as ${from.outcome}.`);
    const result = from.result ?? toolResultOf(from.output, failure, from.outcome);
    const ended =
      from.outcome === 'cancelled' ? ({ ...result, isError: true, errorCode: 'AGENT_CANCELLED' } as const) : result;
    tasks.push({
      close: () => this.emit(place.end, { kind: 'tool.ended', path: lane.path, step, callId, result: ended }),
    });
    pushChildren(place, lane, { step, place, callId, correlationId, samples: 0, hooks: 0 }, tasks);
  }

  private openHook(place: PlacedStep, lane: Lane, around: Around | undefined, tasks: Task[]): void {
    const { name, phase = 'guardrail', error, outcome } = place.step;
    if (around !== undefined) around.hooks += 1;
    else lane.numbers.h += 1;
    const step =
      around === undefined ? stepKey(lane.path, 'h', lane.numbers.h) : keyInCall(around.step, '', around.hooks);
    const where = around === undefined ? {} : { around: around.step };
    this.emit(
      place.start,
      { kind: 'hook.started', path: lane.path, step, attempt: 1, hook: name, phase, ...where },
      place,
    );
    const failed = outcome === 'ok' ? {} : { error: error?.message ?? `It ended as ${outcome}.` };
    const ended = {
      kind: 'hook.ended',
      path: lane.path,
      step,
      calledNext: outcome === 'ok',
      changes: [],
      ...failed,
    } as const;
    tasks.push({ close: () => this.emit(place.end, ended) });
    pushChildren(place, lane, around, tasks);
  }

  private openSetup(place: PlacedStep, lane: Lane, around: Around | undefined, tasks: Task[]): void {
    const { name, phase, error } = place.step;
    lane.numbers.s += 1;
    const step = stepKey(lane.path, 's', lane.numbers.s);
    const what = phase === 'server' ? 'server' : 'code';
    this.emit(place.start, { kind: 'setup.started', path: lane.path, step, what, name }, place);
    const ended = { kind: 'setup.ended', path: lane.path, step, ...(error !== undefined && { error }) } as const;
    tasks.push({ close: () => this.emit(place.end, ended) });
    pushChildren(place, lane, around, tasks);
  }

  private emit(at: number, body: EventBody, place?: PlacedStep): void {
    this.events.push({ at, body, ...(place !== undefined && { imported: importedFrom(place) }) });
  }

  /** Puts the events in order and adds the first and the last. Events of one moment stay in the order of the tree. */
  private finish(root: PlacedStep, start: number, end: number, spans: number): readonly RunEvent[] {
    const { runId, correlationId, status, answer, message, recordedBy } = this.facts;
    const { step } = root;
    const usage = [...this.spending.values()].reduce(addUsage, noUsage);
    const agents = [...this.spending].map(([agentName, spent]) => ({ agentName, usage: spent }));
    const input = message ?? step.input ?? firstInput(root) ?? '';
    const ended =
      status ?? (step.outcome === 'ok' ? 'completed' : step.outcome === 'cancelled' ? 'cancelled' : 'failed');
    const said = answer ?? step.output ?? this.entry?.lastAnswer;
    const sentence = `Imported: ${recordedBy} recorded this run (${spans} ${spans === 1 ? 'span' : 'spans'}). Nothing was executed here.`;
    const first: TimedEvent[] = [
      {
        at: start,
        body: { kind: 'run.started', runId, correlationId, entryAgent: step.name, message: input, scripted: false },
      },
      { at: start, body: { kind: 'log', level: 'info', code: 'imported', message: sentence } },
      ...this.notes().map(
        (note): TimedEvent => ({
          at: start,
          body: { kind: 'log', level: 'warning', code: 'import_estimated', message: note },
        }),
      ),
    ];
    const last: TimedEvent = {
      at: end,
      body: {
        ...{ kind: 'run.finished', status: ended, usage, agents },
        ...(said !== undefined && ended === 'completed' && { answer: said }),
        ...(ended === 'failed' && { error: step.error ?? { code: 'failed', message: 'The trace reports a failure.' } }),
      },
    };
    const sorted = this.events
      .map((event, index) => ({ event, index }))
      .sort((a, b) => a.event.at - b.event.at || a.index - b.index);
    return [...first, ...sorted.map(({ event }) => event), last].map(
      ({ at, body, imported }, index): RunEvent => ({
        seq: index + 1,
        at: brandAs<EpochMs>(at),
        ...body,
        ...(imported !== undefined && { imported }),
      }),
    );
  }

  private notes(): readonly string[] {
    const { orphans, skewed, unknown, ends, estimated } = this.counts;
    const spans = (count: number) => (count === 1 ? '1 span' : `${count} spans`);
    return [
      ...(this.facts.notes ?? []),
      ...(orphans > 0
        ? [`${spans(orphans)} named a parent that has not arrived. They are at the top until it does.`]
        : []),
      ...(skewed > 0
        ? [
            `${spans(skewed)} started before their parents, so clocks differ. They are drawn at the start of the parent.`,
          ]
        : []),
      ...(ends > 0 ? [`${spans(ends)} had no end. They are drawn to the end of the trace.`] : []),
      ...(unknown > 0 ? [`${spans(unknown)} followed no convention that is known here. They are drawn as steps.`] : []),
      ...(estimated > ends
        ? [`Times or names of ${spans(estimated - ends)} are estimated; the selection says which.`]
        : []),
    ];
  }
}

function pushChildren(place: PlacedStep, lane: Lane, around: Around | undefined, tasks: Task[]): void {
  for (const child of place.children.toReversed()) tasks.push({ open: child, lane, around });
}

function importedFrom({ step, skewMs, isOrphan }: PlacedStep): ImportedFrom {
  const estimated = [
    ...step.estimated,
    ...(skewMs > 0 ? [`start: it was ${skewMs.toFixed(3)} ms before its parent's`] : []),
  ];
  return {
    id: step.id,
    name: step.original,
    attributes: withoutSecrets(step.rest),
    ...(estimated.length > 0 && { estimated }),
    ...(isOrphan && step.parent !== undefined && { missingParent: step.parent }),
  };
}

const isSecret = secretKeys();

function withoutSecrets(attributes: JsonObject): JsonObject {
  const clean = redactJson(attributes, isSecret);
  return isRecord(clean) ? (clean as JsonObject) : {};
}

/** The instance around a trace that has no single agent at its top. */
function madeUp(tops: readonly PlacedStep[], name: string, start: number, end: number): PlacedStep {
  const last = tops.findLast(({ step }) => step.kind !== 'unknown')?.step;
  const step: ImportedStep = {
    ...{ id: '', parent: undefined, kind: 'agent', name, original: '', start, end, rest: {} },
    outcome: last?.outcome ?? 'ok',
    error: last?.error,
    estimated: ['instance: the trace has no single agent at its top'],
  };
  return {
    step,
    children: [...tops],
    isInstance: true,
    makesInstance: false,
    hasModels: true,
    start,
    end,
    skewMs: 0,
    isOrphan: false,
  };
}

/** Returns the first question to an agent or a model below. */
function firstInput(root: PlacedStep): string | undefined {
  const open = [root];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { kind, input } = place.step;
    if ((kind === 'agent' || kind === 'model') && input !== undefined) return input;
    for (const child of place.children.toReversed()) open.push(child);
  }
  return undefined;
}

function decodedName(path: InstancePath): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll('%2F', '/');
}
