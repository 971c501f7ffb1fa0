import type { InstancePath } from '@/lib/base/ids';
import type { Card } from '@/lib/cards/card';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { calledBy } from '@/lib/cards/project/reachable';
import type { RunEvent } from '@/lib/runtime/record/events';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { cardsByName } from './validate';

/** The first recorded step that other files would not make. */
export interface Mismatch {
  /** The number of its event. */
  readonly seq: number;
  /** What has changed, as a sentence. */
  readonly reason: string;
}

/** What a run with other files takes from a record. */
export interface MatchingRecord {
  readonly kept: readonly RunEvent[];
  /** Why the record ends earlier than asked for. */
  readonly mismatch: Mismatch | undefined;
}

/** Returns what comes before event `at`, up to the first step that the new files would not make. */
export function matchingRecord(
  log: readonly RunEvent[],
  at: number,
  { before, now }: { readonly before: ParsedFolder; readonly now: ParsedFolder },
): MatchingRecord {
  const kept = recordBefore(log, at);
  const mismatch = findMismatch(kept, before, now);
  if (mismatch === undefined) return { kept, mismatch };
  return { kept: recordBefore(log, Math.min(mismatch.seq, at), { earlierCalls: false }), mismatch };
}

/** Says where the record ends, for a person. */
export function mismatchWords({ reason }: Mismatch): string {
  return `${reason} The record does not match from there on.`;
}

/**
 * Finds the first step of a record that does not match the files that the run goes on with. A step matches if its agent still
 * exists with the same type, is still called by the same agent, and makes the same steps: the members and the settings of a
 * workflow, and hooks of phases. Texts, models and tools may differ, because recorded answers do not depend on them any more.
 */
export function findMismatch(log: readonly RunEvent[], was: ParsedFolder, is: ParsedFolder): Mismatch | undefined {
  const [before, now] = [withoutHooksOff(was), withoutHooksOff(is)];
  const oldCards = cardsByName(before);
  const cards = cardsByName(now);
  const created = new Set<string>();
  const agents = new Map<InstancePath, string>();
  const calls = new Map<string, number>();
  for (const event of log) {
    if (event.kind === 'agent.created') created.add(event.agent.name);
    else if (event.kind === 'tool.started') calls.set(event.step, event.seq);
    else if (event.kind === 'instance.queued') {
      const { agentName: name, path, parent } = event;
      agents.set(path, name);
      if (created.has(name)) continue;
      const caller = parent === undefined ? undefined : cards.get(agents.get(parent) ?? '');
      const reason = changeOf(name, oldCards.get(name), cards.get(name)) ?? lostCall(name, caller, cards, now);
      const call = event.parentStep === undefined ? undefined : calls.get(event.parentStep);
      if (reason !== undefined) return { seq: call ?? event.seq, reason };
    }
  }
  return undefined;
}

function changeOf(name: string, old: Card | undefined, card: Card | undefined): string | undefined {
  if (card === undefined) return `Agent '${name}' is no longer in the project.`;
  if (old === undefined) return undefined;
  if (old.type !== card.type) return `Agent '${name}' was of type '${old.type}' and is of type '${card.type}'.`;
  if (stepsOf(old) === stepsOf(card)) return undefined;
  return card.type === 'agent'
    ? `Agent '${name}' has other hooks of phases than in the recorded run.`
    : `Workflow '${name}' has other members or settings than in the recorded run.`;
}

function lostCall(
  name: string,
  caller: Card | undefined,
  cards: ReadonlyMap<string, Card>,
  { settings }: ParsedFolder,
): string | undefined {
  if (caller === undefined || calledBy(caller, cards.keys(), settings).includes(name)) return undefined;
  return `Agent '${caller.name}' no longer calls '${name}'.`;
}

/** What decides which steps an instance makes, apart from its model, as text to compare. */
function stepsOf(card: Card): string {
  if (card.type === 'agent') {
    const { toolHooks, lifecycleHooks } = card;
    return JSON.stringify([toolHooks.form === 'phases' ? toolHooks.phases : {}, lifecycleHooks]);
  }
  const { file: _file, instruction: _instruction, description: _description, ...own } = card;
  return JSON.stringify({ ...own, model: undefined, requestParams: undefined, apiKey: undefined });
}
