import { globMatch } from '@/lib/base/fnmatch';
import type { AgentCard } from '@/lib/cards/card';
import type { HookEntry } from '@/lib/cards/hook-settings';
import { fitsWhen } from '@/lib/cards/hook-when';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { agentHooks, type ChainEntry } from '@/lib/graph/hook-chain';
import type { Renames } from './align';
import { approvalWeight, effectWords, isEffect } from './approval-changes';
import { type Found, switchChange } from './capability-change';
import { type EffectiveCall, effectiveCalls, namesByPattern, patternsIn } from './effective-calls';
import { gainOf, lossOf, ofOwner } from './hook-changes';
import { hookSteps, ownChain, runChain } from './hook-steps';
import { agentPairs, type Side, type Sides } from './project-side';

/**
 * Compares what happens to each call that is possible on both sides: whether somebody is asked, and which hooks wrap it. It tells what
 * no setting says by itself: a tool whose new name a rule or a hook does not know, or a rule that counts before another one. `told` are
 * the sentences about settings; what they say is not said again.
 */
export function effectiveChanges(sides: Sides, renames: Renames, told: readonly Found[]): Found[] {
  const names = namesByPattern([...new Set([...patternsIn(sides.before), ...patternsIn(sides.after)])]);
  // Other sentences of this kind are about files that are handed over, or about what a person may change.
  const approvals = told.filter(
    ({ kind, before, after }) => kind === 'approval' && isEffect(before) && isEffect(after),
  );
  const isSameElsewhere = elsewhere(sides.before) === elsewhere(sides.after);
  const runGuards = guardsOf(sides, undefined, runChain(sides.before.parsed), runChain(sides.after.parsed), renames);
  return agentPairs(sides)
    .filter(({ isKept, before, after }) => isKept && !(isSameElsewhere && isSameCard(before, after)))
    .flatMap((pair) => {
      const old = effectiveCalls(sides.before, pair.before, names, renames.functions);
      const now = effectiveCalls(sides.after, pair.after, names);
      const [was, is] = [
        ownChain(pair.card.before, sides.before.parsed),
        ownChain(pair.card.after, sides.after.parsed),
      ];
      const guards = [...runGuards, ...guardsOf(sides, pair.name, was, is, renames)];
      return [...now.values()].flatMap((call) => {
        const was = old.get(call.key);
        if (was === undefined) return [];
        if (was.isHidden || call.isHidden) return hiddenChange(pair.name, was, call);
        return [...decisionChange(pair.name, was, call, approvals), ...guardChanges(pair.name, was, call, guards)];
      });
    });
}

/** Returns all that decides about calls besides the card of the calling agent. */
function elsewhere({ parsed: { settings }, cards, listed }: Side): string {
  const { approvals, delegations, delegation_defaults, toolsets, tool_naming, runtime_tools } = settings;
  const { run_hooks, agent_hooks, hooks_off } = settings;
  const calls = [approvals, delegations, delegation_defaults, toolsets, tool_naming, runtime_tools];
  return JSON.stringify([...calls, run_hooks, agent_hooks, hooks_off, [...cards.keys()], listed]);
}

function isSameCard(before: AgentCard, after: AgentCard): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Tools of one name: the model is offered the first one. */
function hiddenChange(agent: string, was: EffectiveCall, is: EffectiveCall): Found[] {
  const about = { ...aboutCall(agent, is), kind: 'delegation' } as const;
  const why = 'something else has the name of its tool';
  return switchChange(
    about,
    was.isHidden,
    is.isHidden,
    {
      on: `Agent '${agent}' can no longer call ${is.words}: ${why}.`,
      off: `Agent '${agent}' can now call ${is.words}. Before, ${why}.`,
    },
    'less',
  );
}

function decisionChange(agent: string, was: EffectiveCall, is: EffectiveCall, told: readonly Found[]): Found[] {
  const [before, after] = [was.decision.effect, is.decision.effect];
  if (before === after) return [];
  const weight = approvalWeight(before, after);
  const isTold = told.some((found) => found.weight === weight && isAbout(found, agent, was, is));
  if (isTold) return [];
  const sentence = `Calls of ${is.words} by agent '${agent}' ${effectWords(before, after)}.${nameWords(was, is)}`;
  return [{ ...aboutCall(agent, is), kind: 'approval', weight, sentence, before, after }];
}

/** True if a sentence about a setting speaks of this call. */
function isAbout({ subject }: Found, caller: string, was: EffectiveCall, is: EffectiveCall): boolean {
  const { tool, agent, field } = subject;
  if (field === 'approvals.mode' || field === 'approvals.attachments') return false;
  if (field === 'approvals.default')
    return [was, is].every(({ decision }) => (decision.why?.level ?? 'project') === 'project');
  if (agent !== undefined && agent !== caller) return false;
  if (tool === undefined) return [was, is].every(({ decision }) => (decision.why?.level ?? 'project') !== 'tool');
  return tool === is.child || [...was.names, ...is.names].some((name) => tool === name || globMatch(tool, name));
}

function aboutCall(agent: string, { child, names }: EffectiveCall): Pick<Found, 'subject' | 'at'> {
  const tool = child ?? names.at(-1);
  return {
    subject: { agent, tool },
    at: { settings: child === undefined ? ['approvals', 'rules'] : ['delegations', agent, child] },
  };
}

function nameWords(was: EffectiveCall, is: EffectiveCall): string {
  const [old, now] = [was.names.at(-1), is.names.at(-1)];
  return old === now ? '' : ` The tool is now named '${now}' and not '${old}'.`;
}

/** A hook that is the same on both sides, with what it wraps. */
interface Guard {
  readonly owner: string | undefined;
  readonly entry: ChainEntry;
  readonly before: HookEntry;
  readonly after: HookEntry;
}

/** Pairs the hooks of a chain of both sides. `owner` is the agent whose chain it is, or `undefined` for the hooks of every agent. */
function guardsOf(
  { before, after }: Sides,
  owner: string | undefined,
  old: readonly ChainEntry[],
  now: readonly ChainEntry[],
  renames: Renames,
): readonly Guard[] {
  const isOn = ({ off, kind }: ChainEntry) => !off && kind !== 'code';
  return hookSteps(old.filter(isOn), now.filter(isOn), renames).flatMap((step): Guard[] => {
    if (step.before === undefined || step.after === undefined) return [];
    const [was, is] = [entryOf(before, owner, step.before), entryOf(after, owner, step.after)];
    return was === undefined || is === undefined ? [] : [{ owner, entry: step.after, before: was, after: is }];
  });
}

function entryOf({ parsed }: Side, owner: string | undefined, { id }: ChainEntry): HookEntry | undefined {
  return listOf(parsed, owner)[Number(id.slice(id.indexOf('.') + 1))];
}

function listOf(parsed: ParsedFolder, owner: string | undefined): readonly HookEntry[] {
  return owner === undefined ? parsed.settings.run_hooks : agentHooks(parsed, owner);
}

function guardChanges(agent: string, was: EffectiveCall, is: EffectiveCall, guards: readonly Guard[]): Found[] {
  return guards.flatMap(({ owner, entry, before, after }): Found[] => {
    if (before.kind === 'code' || after.kind === 'code') return [];
    const [wrapped, wraps] = [
      fitsWhen(before.when, was.identity, was.names),
      fitsWhen(after.when, is.identity, is.names),
    ];
    // What the filter of the hook did is told with the hook.
    if (wrapped === wraps || fitsWhen(after.when, was.identity, was.names) !== wrapped) return [];
    const sentence = `Hook '${entry.name}' ${ofOwner(owner)} ${wraps ? 'now wraps' : 'no longer wraps'} calls of ${is.words} by agent '${agent}'.${nameWords(was, is)}`;
    const { subject, at } = aboutCall(agent, is);
    const weight = wraps ? lossOf(entry) : gainOf(entry);
    return [{ kind: 'hook', subject: { ...subject, hook: entry.name }, at, weight, sentence }];
  });
}
