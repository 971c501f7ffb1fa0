import { canonicalJson } from '@/lib/base/canonical-json';
import { globCovers } from '@/lib/base/glob-covers';
import { isRecord, type Json } from '@/lib/base/json';
import { type ChainEntry, defaultHookTimeoutMs } from '@/lib/graph/hook-chain';
import { phaseWords } from '@/lib/graph/hook-words';
import type { Renames } from './align';
import {
  type Found,
  limitChange,
  listChange,
  otherChange,
  type Place,
  quoted,
  rankedChange,
  switchChange,
  type Weight,
} from './capability-change';
import { type HookStep, hookSteps, ownChain, runChain } from './hook-steps';
import { agentPairs, type Sides } from './project-side';

type About = ReturnType<typeof aboutHook>;

/** Whose calls a hook wraps. `undefined` stands for all agents. */
type Owner = string | undefined;

/** Hooks that guard less or more. A hook that is gone gives power, because it refused, hid or limited something. */
export function hookChanges(sides: Sides, renames: Renames): Found[] {
  const { before, after } = sides;
  const chains = [
    chainOf(undefined, runChain(before.parsed), runChain(after.parsed), renames),
    // An agent that is new or gone makes no difference to the calls of others.
    ...agentPairs(sides)
      .filter(({ isKept }) => isKept)
      .map(({ name, card }) =>
        chainOf(name, ownChain(card.before, before.parsed), ownChain(card.after, after.parsed), renames),
      ),
  ];
  return [
    ...chains.flatMap(({ owner, steps, switched }) => [
      ...steps.flatMap((step) => (isSwitch(step, switched) ? [] : stepChanges(owner, step))),
      ...switched.flatMap((step) => switchChanges(owner, step)),
    ]),
    ...policyChanges(chains.flatMap(({ steps }) => steps)),
  ];
}

interface ComparedChain {
  readonly owner: Owner;
  /** The hooks that run, on both sides. One that is switched off is gone here. */
  readonly steps: readonly HookStep[];
  /** The hooks that were switched off or on, and those that came or went while they were off. */
  readonly switched: readonly HookStep[];
}

function chainOf(
  owner: Owner,
  before: readonly ChainEntry[],
  after: readonly ChainEntry[],
  renames: Renames,
): ComparedChain {
  const isOn = ({ off }: ChainEntry) => !off;
  const all = before.every(isOn) && after.every(isOn) ? [] : hookSteps(before, after, renames);
  return {
    owner,
    steps: hookSteps(before.filter(isOn), after.filter(isOn), renames),
    switched: all.filter(({ before, after }) => {
      return before === undefined || after === undefined ? (before ?? after)?.off : before.off !== after.off;
    }),
  };
}

/** True for a hook that came or went in a run because it was switched on or off. */
function isSwitch({ before, after }: HookStep, switched: readonly HookStep[]): boolean {
  if (before !== undefined && after !== undefined) return false;
  return switched.some((step) => step[before === undefined ? 'after' : 'before']?.id === (before ?? after)?.id);
}

/** A hook that is switched off gives the power that its removal gives. */
function switchChanges(owner: Owner, { before, after }: HookStep): Found[] {
  const entry = after ?? before;
  if (entry === undefined) return [];
  const about = aboutHook(owner, entry);
  if (before === undefined || after === undefined) {
    const isNew = after !== undefined;
    const sentence = `Hook '${entry.name}' ${ofOwner(owner)}, which ${isNew ? 'is switched off, is new' : 'was switched off, is removed'}. Runs are the same.`;
    return [{ ...about, weight: 'same-but-different', sentence }];
  }
  const state = after.off ? 'is switched off, and' : 'is on again, and';
  return [
    {
      ...about,
      weight: after.off ? gainOf(before) : lossOf(after),
      sentence: `Hook '${entry.name}' ${state} ${scope(owner, entry, !after.off)}.`,
    },
  ];
}

function stepChanges(owner: Owner, { change, before, after, past }: HookStep): Found[] {
  const entry = after ?? before;
  if (entry === undefined) return [];
  const about = aboutHook(owner, entry);
  if (before === undefined || after === undefined) {
    const isNew = after !== undefined;
    return [
      {
        ...about,
        at: { ...about.at, gone: !isNew },
        weight: isNew ? lossOf(entry) : gainOf(entry),
        sentence: `Hook '${entry.name}' ${scope(owner, entry, isNew)}.`,
      },
    ];
  }
  const moved: Found[] =
    change === 'moved' && past !== undefined && past.phase === 'around'
      ? [
          {
            ...about,
            weight: 'same-but-different',
            sentence: `Hook '${after.name}' ${ofOwner(owner)} now runs ${after.placeInRun < past.placeInRun ? 'before' : 'after'} '${past.name}', and no longer ${after.placeInRun < past.placeInRun ? 'after' : 'before'} it.`,
          },
        ]
      : [];
  return [...moved, ...filterChanges(owner, before, after), ...parameterChanges(owner, before, after)];
}

function aboutHook(owner: Owner, entry: ChainEntry) {
  const [list = '', index = ''] = entry.id.split('.');
  const place = /^\d+$/.test(index) ? Number(index) : index;
  const at: Place =
    entry.origin === 'card' && owner !== undefined
      ? { agent: owner, path: [list, place] }
      : { settings: entry.origin === 'run' ? ['run_hooks', place] : ['agent_hooks', owner ?? '', place] };
  return { kind: 'hook' as const, subject: { agent: owner, hook: entry.name, file: entry.file }, at };
}

/** What it means for power that a hook is gone. Some hooks only make calls faster or more reliable. */
export function gainOf({ kind, phase }: ChainEntry): Weight {
  if (['retry', 'cache', 'default', 'rename'].includes(kind)) return 'same-but-different';
  return phase === 'on_start' || phase === 'on_shutdown' ? 'same-but-different' : 'more';
}

export function lossOf(entry: ChainEntry): Weight {
  return gainOf(entry) === 'more' ? 'less' : 'same-but-different';
}

function scope(owner: Owner, entry: ChainEntry, isNew: boolean): string {
  const now = isNew ? 'now' : 'no longer';
  if (entry.phase !== 'around') {
    const when = phaseWords[entry.phase];
    return `${ofOwner(owner)} ${now} runs ${when.charAt(0).toLowerCase()}${when.slice(1)}`;
  }
  const calls = callsOf(entry);
  return calls === undefined
    ? `${now} wraps the tool calls ${ofOwner(owner)}`
    : `${now} runs before ${calls} ${ofOwner(owner)}`;
}

export function ofOwner(owner: Owner): string {
  return owner === undefined ? 'of every agent' : `of agent '${owner}'`;
}

/** Returns the calls that the filter of a hook names. `undefined` stands for all calls. */
function callsOf(entry: ChainEntry): string | undefined {
  const { tool, server, source } = filterOf(entry);
  const parts = [
    ...(tool === undefined ? [] : [quoted(tool)]),
    ...(server === undefined ? [] : [`tools of the server ${quoted(server)}`]),
    ...(source === undefined ? [] : [`${source.join(' and ')} tools`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', only ');
}

type FilterKey = 'tool' | 'server' | 'source';

function filterOf({ parameters }: ChainEntry): Readonly<Partial<Record<FilterKey, readonly string[]>>> {
  const { when } = parameters;
  const list = (key: FilterKey) => {
    const value: unknown = isRecord(when) ? when[key] : undefined;
    if (value === undefined) return {};
    const names = (Array.isArray(value) ? value : [value]).map(String);
    return names.includes('*') ? {} : { [key]: [...new Set(names)].sort() };
  };
  return { ...list('tool'), ...list('server'), ...list('source') };
}

function filterChanges(owner: Owner, before: ChainEntry, after: ChainEntry): Found[] {
  const [old, now] = [filterOf(before), filterOf(after)];
  const about = aboutHook(owner, after);
  return (['tool', 'server', 'source'] as const).flatMap((key): Found[] => {
    const [was, is] = [old[key], now[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const words = (names: readonly string[]) => {
      return key === 'tool'
        ? quoted(names)
        : key === 'server'
          ? `tools of the server ${quoted(names)}`
          : `${names.join(' and ')} tools`;
    };
    if (is === undefined || was === undefined) {
      const isWider = is === undefined;
      const sentence = isWider
        ? `Hook '${after.name}' ${ofOwner(owner)} now runs before every call, and not only before ${words(was ?? [])}.`
        : `Hook '${after.name}' ${ofOwner(owner)} now runs only before ${words(is)}, and no longer before every call.`;
      return [{ ...about, weight: isWider ? lossOf(after) : gainOf(after), sentence }];
    }
    const isTaken = (name: string, others: readonly string[]) =>
      key !== 'source' && others.some((other) => globCovers(other, name, false));
    return listChange(
      about,
      was.filter((name) => !isTaken(name, is)),
      is.filter((name) => !isTaken(name, was)),
      (name, isNew) =>
        `Hook '${after.name}' ${isNew ? 'now' : 'no longer'} runs before ${words([name])} ${ofOwner(owner)}.`,
      lossOf(after),
    );
  });
}

function parameterChanges(owner: Owner, before: ChainEntry, after: ChainEntry): Found[] {
  const { when: _, ...old } = before.parameters;
  const { when: __, ...now } = after.parameters;
  const names = Object.keys({ ...old, ...now }).filter(
    (key) => canonicalJson(old[key] ?? null) !== canonicalJson(now[key] ?? null),
  );
  if (names.length === 0) return [];
  const about = aboutHook(owner, after);
  const hook = `hook '${after.name}' ${ofOwner(owner)}`;
  const known = ['keys', 'patterns', 'max', 'min', 'max_chars', 'calls', 'per_ms', 'in', 'scope'];
  const limit = (key: string, what: string) =>
    limitChange(about, `The ${what} of ${hook}`, numberIn(old[key]), numberIn(now[key]));
  const hidden = (key: string, what: string) =>
    listChange(
      about,
      textsIn(old[key]),
      textsIn(now[key]),
      (entry, isNew) => {
        return `Hook '${after.name}' ${ofOwner(owner)} ${isNew ? 'now hides' : 'no longer hides'} ${what} '${entry}'.`;
      },
      'less',
    );
  const rest = names.filter((key) => !known.includes(key));
  const lowest = limit('min', 'lowest value').map((found): Found => {
    return { ...found, weight: (numberIn(now.min) ?? -Infinity) < (numberIn(old.min) ?? -Infinity) ? 'more' : 'less' };
  });
  // A longer time for the same number of calls lets fewer through.
  const period = limit('per_ms', 'time in ms').map((found): Found => {
    return { ...found, weight: found.weight === 'more' ? 'less' : 'more' };
  });
  return [
    ...hidden('keys', 'the key'),
    ...hidden('patterns', 'what matches'),
    ...limit('max', 'highest value'),
    ...lowest,
    ...limit('max_chars', 'most characters'),
    ...limit('calls', 'number of calls'),
    ...period,
    ...hiddenPlaces(about, hook, wordIn(old.in), wordIn(now.in)),
    ...rankedChange(
      about,
      ['run', 'tool', 'instance'],
      wordIn(old.scope) ?? 'run',
      wordIn(now.scope) ?? 'run',
      `The calls of ${hook} are now counted for each ${wordIn(now.scope) ?? 'run'} and not for each ${wordIn(old.scope) ?? 'run'}.`,
    ),
    ...rest.flatMap((key) =>
      otherChange(about, shown(old[key]), shown(now[key]), (was, is) => {
        return `The setting '${key}' of ${hook} is now ${is ?? 'not set'} instead of ${was ?? 'not set'}.`;
      }),
    ),
  ];
}

/** Where `redact` hides. */
function hiddenPlaces(about: About, hook: string, old = 'result', now = 'result'): Found[] {
  if (old === now) return [];
  const weight = now === 'both' ? 'less' : old === 'both' ? 'more' : 'same-but-different';
  const words = (place: string) =>
    place === 'both' ? 'arguments and results' : place === 'result' ? 'results' : place;
  const sentence = `H${hook.slice(1)} now hides values in ${words(now)}, and not in ${words(old)}.`;
  return [{ ...about, weight, sentence, before: old, after: now }];
}

function wordIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const mostShown = 80;

/** A long value is not shown. */
function shown(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = canonicalJson(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The policy belongs to the function, so it is told once, whichever agents use the hook. */
function policyChanges(steps: readonly HookStep[]): Found[] {
  const told = new Set<string>();
  return steps.flatMap(({ before, after }): Found[] => {
    if (before === undefined || after === undefined || after.kind !== 'code' || told.has(after.spec)) return [];
    told.add(after.spec);
    const about = {
      kind: 'hook',
      subject: { hook: after.name, file: after.file, field: 'hooks' },
      at: { settings: ['hooks', after.spec] },
    } as const;
    const skips = ({ policy }: ChainEntry) => policy.on_error === 'skip';
    const timeout = ({ policy }: ChainEntry) => policy.timeout_ms ?? defaultHookTimeoutMs;
    return [
      ...switchChange(about, skips(before), skips(after), {
        on: `When hook '${after.name}' fails, it is now skipped and the call runs without it.`,
        off: `When hook '${after.name}' fails, it is no longer skipped: the call fails too.`,
      }),
      ...limitChange(
        about,
        `The time limit of hook '${after.name}'`,
        timeout(before),
        timeout(after),
        (ms) => `${ms} ms`,
      ),
    ];
  });
}
