import type { Actor } from '@/lib/base/actor';
import { brandAs, type CorrelationId, type TreeHash } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { RunDetail } from '@/lib/store/runs';
import { withoutMessage } from '@/lib/trace/without-texts';

/** What of a run an actor sees: everything, all but the names of other things (`run`), or no text at all (`bare`). */
export function viewOf({ reach }: Actor): 'whole' | 'run' | 'bare' {
  if (reach === 'all' || reach.kind !== 'share') return 'whole';
  return reach.texts ? 'run' : 'bare';
}

/** Returns an event as an actor sees it. A share link shows neither the user nor the tags and metadata of its run. */
export function eventSeenBy(actor: Actor, event: RunEvent): RunEvent {
  if (event.kind !== 'run.started' || viewOf(actor) === 'whole') return event;
  const { marks: _, ...rest } = event;
  return rest;
}

/** Returns what of a run an actor sees. A share link leads to no other run, and not into the project. */
export function seenBy(actor: Actor, run: RunDetail): RunDetail {
  const view = viewOf(actor);
  if (view === 'whole') return run;
  const alone: RunDetail = {
    ...run,
    treeHash: brandAs<TreeHash>(''),
    confirmedHash: undefined,
    again: undefined,
    conversationId: undefined,
    madeAgain: [],
    revision: undefined,
    label: undefined,
    draft: undefined,
    startedBy: undefined,
    trigger: undefined,
    score: undefined,
    user: undefined,
    tags: undefined,
    metadata: undefined,
  };
  if (view === 'run') return alone;
  const { id, projectId, status, entryAgent, model, source, scripted, createdAt, startedAt, finishedAt } = run;
  const { usage, modelUsage, lastSeq, isInLine } = run;
  const {
    treeHash,
    confirmedHash,
    again,
    conversationId,
    madeAgain,
    revision,
    label,
    draft,
    startedBy,
    trigger,
    score,
  } = alone;
  return {
    ...{ id, projectId, status, entryAgent, model, source, scripted, createdAt, startedAt, finishedAt },
    ...{ usage, modelUsage, lastSeq, isInLine, treeHash, confirmedHash, again, conversationId, madeAgain },
    ...{ revision, label, draft, startedBy, trigger, score },
    projectName: '',
    message: '',
    correlationId: brandAs<CorrelationId>(''),
    answer: undefined,
    error: withoutMessage(run.error),
    failedServers: undefined,
    leftOut: [],
  };
}
