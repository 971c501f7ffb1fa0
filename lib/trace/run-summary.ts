import type { RunEvent } from '@/lib/runtime/record/events';
import { type ContentBlock, tokens } from '@/lib/runtime/record/messages';
import { costOfRun, usageByModel } from './cost';
import { countErrors, knownCost, waitedForPermits } from './figures';
import { waitedForPeople } from './questions';
import { partsOfRun, type RunPart } from './run-parts';
import type { Trace } from './trace';

/** What filters of the list of runs ask about a run that has ended, so that they need not read its events. */
export interface RunSummary {
  /** The time in which at least one child waited for a permit, in milliseconds. */
  readonly waitedMs: number;
  /** The time in which at least one person was asked, in milliseconds. */
  readonly peopleMs: number;
  /** US dollars as far as prices are known. `undefined` if no price is known. */
  readonly costUsd: number | undefined;
  readonly tokens: number;
  /** Names of agents, tools and hooks that took part, each once. */
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  readonly hooks: readonly string[];
  /** Names of the models that were asked, as prices and usage name them. */
  readonly models: readonly string[];
  /** The number of errors (docs/runs.md, Figures). */
  readonly errors: number;
  /** What agents, models and tools did, for figures over many runs. */
  readonly parts: readonly RunPart[];
}

/** A run with more different names is found by the first ones only. */
const mostNames = 500;

/** Summarises a run that has ended. */
export function summariseRun(trace: Trace): RunSummary {
  const { spans } = trace;
  const tools = new Set<number>();
  const hooks = new Set<number>();
  for (let span = 0; span < spans.length; span++) {
    const kind = spans.kindOf(span);
    if (kind === 'tool') tools.add(spans.name.at(span));
    else if (kind === 'hook') hooks.add(spans.name.at(span));
  }
  const namesOf = (ids: ReadonlySet<number>) => [...ids].slice(0, mostNames).map((id) => trace.strings[id] ?? '');
  const agents = new Set([trace.run.entryAgent, ...trace.lanes.map(({ agentName }) => agentName)]);
  agents.delete('');
  const modelUsage = usageByModel(trace);
  return {
    waitedMs: waitedForPermits(trace) / 1_000,
    peopleMs: waitedForPeople(trace, trace.lastAt) / 1_000,
    costUsd: knownCost(costOfRun({ scripted: trace.run.scripted, modelUsage })),
    tokens: tokens(trace.run.usage),
    agents: [...agents].slice(0, mostNames),
    tools: namesOf(tools),
    hooks: namesOf(hooks),
    models: Object.keys(modelUsage).slice(0, mostNames),
    errors: countErrors(trace),
    parts: partsOfRun(trace),
  };
}

const mostOfMessage = 500;
const mostOfPart = 160;
const mostOfParts = 1_000;

/** Returns as much of a message as a filter searches. A run has it from its start. */
export function firstText(message: string): string {
  return message.slice(0, mostOfMessage);
}

/**
 * Collects the beginnings of a run's texts, in which a filter searches: 500 characters of message and of answer, the error,
 * and 160 of what models said and tools returned, at most 1,000 characters of these together.
 */
export class RunTexts {
  private message = '';
  private end = '';
  private readonly parts: string[] = [];
  private room = mostOfParts;

  add(event: RunEvent): void {
    switch (event.kind) {
      case 'run.started':
        this.message = firstText(event.message);
        return;
      case 'run.finished':
        this.end = [event.answer, event.error?.message].map((text) => (text ?? '').slice(0, mostOfMessage)).join('\n');
        return;
      case 'model.ended':
        this.addPart(event.message?.content);
        return;
      case 'tool.ended':
        this.addPart(event.result.content);
    }
  }

  toText(): string {
    return [this.message, this.end, ...this.parts].join('\n').trim();
  }

  private addPart(content: readonly ContentBlock[] | undefined): void {
    const block = this.room > 0 ? content?.find(({ type }) => type === 'text') : undefined;
    if (block?.type !== 'text' || block.text === '') return;
    const part = block.text.slice(0, Math.min(mostOfPart, this.room));
    this.parts.push(part);
    this.room -= part.length + 1;
  }
}
