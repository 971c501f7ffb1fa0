import type { CorrelationId } from '@/lib/base/ids';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { EventBody, ImportedFrom } from '@/lib/runtime/record/events';
import { addUsage, noUsage, type Usage } from '@/lib/runtime/record/messages';
import { foldedSpansKey } from '@/lib/trace/folded-spans';
import { notRecordedKey, type UnrecordedText } from '@/lib/trace/not-recorded';
import { type Around, ImportedLanes, type Lane } from './imported-lanes';
import type { ImportedStep } from './imported-step';
import { type OpenedStep, openHook, openInstance, openModel, openSetup, openTool, openWait } from './opened-steps';
import type { PlacedStep } from './place-steps';
import type { Root } from './root-of-steps';
import { withoutSecrets } from './without-secrets';

export interface TimedEvent {
  readonly at: number;
  readonly body: EventBody;
  readonly imported?: ImportedFrom | undefined;
}

export interface TreeEvents {
  /** In the order of the tree: a step, what is inside of it, its end. */
  readonly events: readonly TimedEvent[];
  /** What the instances of each agent used. */
  readonly spending: ReadonlyMap<string, Usage>;
  /** The last answer of the models of the first instance. */
  readonly lastAnswer: string | undefined;
}

/** What is left to do: open a step that is inside of others, or end one. */
type Task =
  | { readonly open: PlacedStep; readonly lane: Lane | undefined; readonly around: Around | undefined }
  | { readonly end: OpenedStep; readonly place: PlacedStep; readonly first: number };

/** Makes the events of a tree of steps. A list of tasks is used and not recursion, because a trace may be very deep. */
export function eventsOfTree({ place: root }: Root, correlationId: CorrelationId): TreeEvents {
  const lanes = new ImportedLanes(correlationId);
  const events: TimedEvent[] = [];
  const spending = new Map<string, Usage>();
  let entry: Lane | undefined;
  const tasks: Task[] = [{ open: root, lane: undefined, around: undefined }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('end' in task) {
      const { step, end } = task.place;
      events.push({ at: end, body: task.end.end() });
      if (!task.place.isInstance) continue;
      const first = events[task.first];
      if (first !== undefined) events[task.first] = withReported(first, step, task.end.lane);
      spending.set(step.name, addUsage(spending.get(step.name) ?? noUsage, task.end.lane.usage));
      continue;
    }
    const opened = openStep(lanes, task.open, task.lane, task.around);
    entry ??= opened.lane;
    const { began, lane, around } = opened;
    for (const [index, event] of began.entries()) {
      const isOwn = index === began.length - 1;
      events.push({ ...event, ...(isOwn && { imported: importedFrom(task.open) }) });
    }
    tasks.push({ end: opened, place: task.open, first: events.length - 1 });
    for (const child of task.open.children.toReversed()) tasks.push({ open: child, lane, around });
  }
  return { events, spending, lastAnswer: entry?.lastAnswer };
}

const reported = 'usage: reported by the agent, whose own model calls are not in the trace';

/** Notes that the usage of an instance is what it reports, and keeps what it reports beside the usage that its calls have. */
function withReported(event: TimedEvent, { usage, costUsd }: ImportedStep, lane: Lane): TimedEvent {
  const { imported } = event;
  if (imported === undefined || (usage === undefined && costUsd === undefined)) return event;
  const all = addUsage(lane.usage, lane.below);
  const isRepeated = usage?.inputTokens === all.inputTokens && usage.outputTokens === all.outputTokens;
  const attributes = {
    ...reportedBy({
      usage: isRepeated || lane.isReported ? undefined : usage,
      costUsd: lane.usage.recorded?.usd === costUsd ? undefined : costUsd,
    }),
    ...imported.attributes,
  };
  const estimated = lane.isReported ? [...(imported.estimated ?? []), reported] : imported.estimated;
  return { ...event, imported: { ...imported, attributes, ...(estimated !== undefined && { estimated }) } };
}

function reportedBy({ usage, costUsd }: Pick<ImportedStep, 'usage' | 'costUsd'>): JsonObject {
  return {
    ...(usage !== undefined && { reported_usage: { input: usage.inputTokens, output: usage.outputTokens } }),
    ...(costUsd !== undefined && { reported_cost_usd: costUsd }),
  };
}

function openStep(
  lanes: ImportedLanes,
  place: PlacedStep,
  lane: Lane | undefined,
  around: Around | undefined,
): OpenedStep {
  if (lane === undefined || place.isInstance) return openInstance(lanes, place, lane, around);
  // The calls inside belong to what the wrapper is inside of.
  if (place.isWrapper) return { ...openTool(lanes, place, lane), around };
  switch (place.step.kind) {
    case 'model':
      return openModel(place, lane, around);
    case 'hook':
      return openHook(place, lane, around);
    case 'setup':
      return openSetup(place, lane, around);
    case 'wait':
      return around === undefined ? openTool(lanes, place, lane) : openWait(place, lane, around);
    case 'agent':
    case 'tool':
    case 'step':
    case 'unknown':
      return openTool(lanes, place, lane);
  }
}

function importedFrom(place: PlacedStep): ImportedFrom {
  const { step, movedMs, isOrphan, isInstance, isWrapper } = place;
  const by = `${movedMs > 0 ? '+' : '−'}${Math.abs(movedMs).toFixed(3)} ms`;
  const isCounted = isInstance || (step.kind === 'model' && !isWrapper);
  const missing = missingTexts(place);
  const rest = withMovedSpans(step.rest, movedMs);
  const estimated = [
    ...step.estimated,
    ...(movedMs === 0 ? [] : [`start and end: moved by ${by}, because its clock differs from that of its parent`]),
  ];
  return {
    id: step.id,
    name: step.original,
    attributes: {
      ...withoutSecrets(isCounted ? rest : { ...reportedBy(step), ...rest }),
      ...(missing.length > 0 && { [notRecordedKey]: missing }),
    },
    ...(estimated.length > 0 && { estimated }),
    ...(isOrphan && step.parent !== undefined && { missingParent: step.parent }),
  };
}

/** Moves the spans that were folded into a step with it. */
function withMovedSpans(rest: JsonObject, movedMs: number): JsonObject {
  const folded = rest[foldedSpansKey];
  if (movedMs === 0 || !Array.isArray(folded)) return rest;
  const moved = folded.map((one) =>
    isRecord(one) && typeof one.start === 'number' ? { ...one, start: one.start + movedMs } : one,
  );
  return { ...rest, [foldedSpansKey]: moved };
}

/** Returns which texts the source does not have. A step that failed has its error as its result. */
function missingTexts({ step, isInstance, children }: PlacedStep): readonly UnrecordedText[] {
  const { kind, input, output, message, arguments: given, result, outcome } = step;
  const without = (text: UnrecordedText, value: unknown) => (value === undefined && outcome === 'ok' ? [text] : []);
  if (isInstance) {
    // An instance is asked what its first model call is asked, and answers what its last one does.
    const calls = children.flatMap((child) => (child.step.kind === 'model' ? [child.step] : []));
    const asked = input ?? calls.find((call) => call.input !== undefined);
    const answer = output ?? message ?? calls.find((call) => call.message !== undefined);
    return [...without('input', asked), ...without('answer', answer)];
  }
  if (kind === 'model') return without('answer', message);
  if (kind === 'hook') return ['changes'];
  if (kind === 'setup' || kind === 'wait') return [];
  const said = result !== undefined && (result.content.length > 0 || result.isError) ? result : output;
  return [...without('arguments', given ?? input), ...without('result', said)];
}
