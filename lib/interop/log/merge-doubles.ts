import type { ImportedStep } from './imported-step';
import { StepFamily } from './step-family';

/**
 * Makes one step of what two instrumentations recorded: a model call inside of the same model call or beside it, a tool call inside
 * of the same tool call, an agent that has nothing inside but the same agent. The outer step stays and takes what it lacks from the
 * other, which is listed among its folded spans.
 */
export function mergeDoubles(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  const family = new StepFamily(steps);
  for (const { id } of steps) {
    for (let inner = doubleIn(family, id); inner !== undefined; inner = doubleIn(family, id)) {
      const outer = family.steps.get(id);
      if (outer === undefined) break;
      family.put(joined(outer, inner));
      family.foldInto(id, inner);
    }
  }
  mergeSiblings(family, steps);
  return family.all();
}

function doubleIn(family: StepFamily, id: string): ImportedStep | undefined {
  const outer = family.steps.get(id);
  if (outer === undefined || (outer.kind !== 'model' && outer.kind !== 'tool' && outer.kind !== 'agent'))
    return undefined;
  const calls = family.childrenOf(id).filter(({ kind }) => kind === 'model' || kind === 'tool' || kind === 'agent');
  const [only, ...others] = calls;
  if (only === undefined || others.length > 0 || only.kind !== outer.kind || !isInside(only, outer)) return undefined;
  return isOtherRecord(outer, only) && isSame(outer, only) ? only : undefined;
}

/** One library records an event once, under one name. What calls itself is no double. */
function isOtherRecord(a: ImportedStep, b: ImportedStep): boolean {
  return a.by !== b.by || a.original !== b.original;
}

function isSame(outer: ImportedStep, inner: ImportedStep): boolean {
  if (outer.kind === 'tool') return outer.name === inner.name;
  if (outer.kind === 'agent') return outer.name === inner.name && isAsLong(inner, outer);
  const hasModel = outer.model === undefined || inner.model === undefined || outer.model === inner.model;
  return hasModel && (outer.usage === undefined || inner.usage === undefined || hasSameTokens(outer, inner));
}

/** An agent of the same name may call itself; it then has a time of its own. */
function isAsLong(inner: ImportedStep, outer: ImportedStep): boolean {
  if (outer.end === undefined || inner.end === undefined) return false;
  return inner.end - inner.start >= 0.98 * (outer.end - outer.start);
}

function hasSameTokens(a: ImportedStep, b: ImportedStep): boolean {
  return a.usage?.inputTokens === b.usage?.inputTokens && a.usage?.outputTokens === b.usage?.outputTokens;
}

/** Clocks of two libraries differ by a little. */
const slackMs = 5;

function isInside(inner: ImportedStep, outer: ImportedStep): boolean {
  const end = outer.end ?? Number.POSITIVE_INFINITY;
  return inner.start >= outer.start - slackMs && (inner.end ?? inner.start) <= end + slackMs;
}

function joined(outer: ImportedStep, inner: ImportedStep): ImportedStep {
  const isMcp = inner.source === 'mcp';
  const hasResult = (outer.result?.content.length ?? 0) > 0;
  return {
    ...outer,
    input: outer.input ?? inner.input,
    output: outer.output ?? inner.output,
    model: outer.model ?? inner.model,
    provider: outer.provider ?? inner.provider,
    usage: outer.usage ?? inner.usage,
    costUsd: outer.costUsd ?? inner.costUsd,
    firstTokenMs: outer.firstTokenMs ?? inner.firstTokenMs,
    message: outer.message ?? inner.message,
    request: outer.request ?? inner.request,
    messageCount: outer.messageCount || inner.messageCount,
    tools: (outer.tools?.length ?? 0) > 0 ? outer.tools : inner.tools,
    callId: outer.callId ?? inner.callId,
    source: isMcp ? 'mcp' : outer.source,
    serverName: outer.serverName ?? inner.serverName,
    arguments: outer.arguments ?? inner.arguments,
    result: hasResult ? outer.result : (inner.result ?? outer.result),
    ...(outer.outcome === 'ok' && { outcome: inner.outcome, error: inner.error }),
  };
}

function mergeSiblings(family: StepFamily, steps: readonly ImportedStep[]): void {
  const groups = new Map<string, ImportedStep[]>();
  for (const { id } of steps) {
    const step = family.steps.get(id);
    if (step?.kind !== 'model' || step.usage === undefined || step.model === undefined) continue;
    const { inputTokens, outputTokens } = step.usage;
    const key = [step.parent, step.model, inputTokens, outputTokens].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  for (const group of groups.values()) if (group.length > 1) mergeGroup(family, group);
}

/** Merges calls that are alike. Each is held against those that another record has and that are not over yet. */
function mergeGroup(family: StepFamily, group: readonly ImportedStep[]): void {
  const first = group[0];
  if (first === undefined || !group.some((step) => isOtherRecord(first, step))) return;
  const byStart = group.toSorted((a, b) => a.start - b.start);
  const open = new Map<string, Set<ImportedStep>>();
  let next = 0;
  for (const inner of byStart) {
    for (let one = byStart[next]; one !== undefined && one.start <= inner.start + slackMs; one = byStart[++next]) {
      const key = recordOf(one);
      open.set(key, (open.get(key) ?? new Set()).add(one));
    }
    const outer = family.steps.has(inner.id) ? outerIn(open, inner, family) : undefined;
    if (outer === undefined) continue;
    family.put(joined(family.steps.get(outer.id) ?? outer, inner));
    family.foldInto(outer.id, inner);
  }
}

function recordOf({ by, original }: ImportedStep): string {
  return `${by ?? ''}\n${original}`;
}

/** Finds a call of another record around a call, and forgets those that are over or merged. */
function outerIn(
  open: Map<string, Set<ImportedStep>>,
  inner: ImportedStep,
  family: StepFamily,
): ImportedStep | undefined {
  for (const [record, calls] of open) {
    if (record === recordOf(inner)) continue;
    for (const call of calls) {
      const isOver = call.end !== undefined && call.end + slackMs < inner.start;
      if (isOver || !family.steps.has(call.id)) calls.delete(call);
      else if (isInside(inner, call)) return call;
    }
    if (calls.size === 0) open.delete(record);
  }
  return undefined;
}
