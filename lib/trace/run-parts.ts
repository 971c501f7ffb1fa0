import { tokens } from '@/lib/runtime/record/messages';
import { addLaneCost, type Cost, costOfRun, nameWithPrice, noCost, usageByModel } from './cost';
import { isFailed } from './failures';
import { hasOwnEnd, knownCost } from './figures';
import { sourceCodes } from './span-table';
import { bucketOf, noTime } from './time-buckets';
import type { Trace } from './trace';

/** What figures over many runs are counted by, beside the run itself. */
export const partKinds = ['agent', 'model', 'tool'] as const;
export type PartKind = (typeof partKinds)[number];

/** What an agent, a model or a tool did in a run, in one bucket of durations. */
export interface RunPart {
  readonly kind: PartKind;
  readonly name: string;
  /** See ./time-buckets. */
  readonly bucket: number;
  /** Instances of the agent, or calls, that have ended. */
  readonly calls: number;
  /** How many of them failed or timed out. */
  readonly failed: number;
  readonly tokens: number;
  /** US dollars as far as prices are known. */
  readonly costUsd: number;
}

/** A run with more different names is counted by the first ones only. */
const mostNames = 500;

/**
 * Counts what agents, models and tools did in a run that has ended. Delegations are no tools here, because the instance of the agent
 * is counted. Tokens and cost of an agent are those of its own model calls.
 */
export function partsOfRun(trace: Trace): readonly RunPart[] {
  const parts = new Parts();
  countAgents(trace, parts);
  countCalls(trace, parts);
  for (const [name, usage] of Object.entries(usageByModel(trace))) {
    const cost = costOfRun({ scripted: trace.run.scripted, modelUsage: { [name]: usage } });
    parts.add('model', name, noTime, { tokens: tokens(usage), costUsd: usdOf(cost) });
  }
  return parts.all();
}

function countAgents({ lanes, run, lastAt }: Trace, parts: Parts): void {
  for (const lane of lanes) {
    if (lane.startedAt === undefined) continue;
    const cost = run.scripted ? noCost : addLaneCost(noCost, lane, run.askedAs);
    const ms = Math.max(0, (lane.endedAt ?? lastAt) - lane.startedAt) / 1_000;
    parts.add('agent', lane.agentName, bucketOf(ms), {
      calls: 1,
      failed: isFailed(lane.status) ? 1 : 0,
      tokens: tokens(lane.usage),
      costUsd: usdOf(cost),
    });
  }
}

function countCalls({ spans, strings, run }: Trace, parts: Parts): void {
  for (let span = 0; span < spans.length; span++) {
    const kind = spans.kindOf(span);
    if ((kind !== 'model' && kind !== 'tool') || !hasOwnEnd(spans, span)) continue;
    if (spans.source.at(span) === sourceCodes.agent) continue;
    const name = strings[spans.name.at(span)] ?? '';
    const ms = (spans.end.at(span) - spans.start.at(span)) / 1_000;
    parts.add(kind, kind === 'model' ? nameWithPrice(name, run.askedAs) : name, bucketOf(ms), {
      calls: 1,
      failed: isFailed(spans.statusOf(span)) ? 1 : 0,
    });
  }
}

function usdOf(cost: Cost): number {
  return knownCost(cost) ?? 0;
}

type Counts = Pick<RunPart, 'calls' | 'failed' | 'tokens' | 'costUsd'>;
const nothing: Counts = { calls: 0, failed: 0, tokens: 0, costUsd: 0 };

class Parts {
  private readonly parts = new Map<string, RunPart>();
  private readonly names = new Set<string>();

  add(kind: PartKind, name: string, bucket: number, more: Partial<Counts>): void {
    const named = `${kind}\n${name}`;
    if (name === '' || (this.names.size >= mostNames && !this.names.has(named))) return;
    this.names.add(named);
    const key = `${bucket}\n${named}`;
    const before = this.parts.get(key) ?? { kind, name, bucket, ...nothing };
    const { calls, failed, tokens, costUsd } = { ...nothing, ...more };
    this.parts.set(key, {
      ...{ kind, name, bucket, calls: before.calls + calls, failed: before.failed + failed },
      ...{ tokens: before.tokens + tokens, costUsd: before.costUsd + costUsd },
    });
  }

  all(): readonly RunPart[] {
    return [...this.parts.values()];
  }
}
