import { assertNever } from '@/lib/base/assert';
import type { JsonObject } from '@/lib/base/json';
import { type Card, type CodeRef, type ToolHookPhase, toolHookPhases } from '@/lib/cards/card';
import type { DeclarativeHook, DeclarativeKind, HookEntry, HookPolicy } from '@/lib/cards/hook-settings';
import { isCardHookOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { settingsFileOf } from './settings-file';

/**
 * The hook chain of an agent as one ordered object, whichever file an entry is written in. Canvas, inspector and commands
 * read this one.
 *
 *   run_hooks ▶ agent_hooks.<agent> ▶ the card's tool_hooks (list) ▶ phases of tool_hooks (mapping) ▶ lifecycle_hooks
 *   └──────────── around: wrap each tool call, outermost first ──┘   └────────── run at a moment of a turn ─────────┘
 */
export const lifecyclePhases = ['on_start', 'on_shutdown'] as const;
export type LifecyclePhase = (typeof lifecyclePhases)[number];
/** `around` wraps every tool call. */
export type HookPhase = 'around' | ToolHookPhase | LifecyclePhase;

/** The place where an entry is written: `run_hooks` or `agent_hooks` of callboard.yaml, or the card. */
export type HookOrigin = 'run' | 'agent settings' | 'card';

export interface ChainEntry {
  /** The list and the position in it: `run_hooks.0`, `agent_hooks.1`, `tool_hooks.after_llm_call`, `lifecycle_hooks.on_start`. */
  readonly id: string;
  readonly kind: 'code' | DeclarativeKind;
  readonly origin: HookOrigin;
  readonly phase: HookPhase;
  /** The position among the hooks that wrap a call, counted from 1. It is 0 for other hooks. */
  readonly place: number;
  /** The position in a run, which skips hooks that are off. It is 0 for these, and for hooks of phases. */
  readonly placeInRun: number;
  /** The hook is switched off: it stays in the file, and every run skips it. */
  readonly off: boolean;
  /** A short name: that of the function, or the kind. */
  readonly name: string;
  /** Code as it is written, such as `hooks.py:audit`. For other hooks, a description such as `clamp x to 0 … 10`. */
  readonly spec: string;
  /** The file of the code, otherwise callboard.yaml. */
  readonly file: string;
  readonly functionName: string;
  /** The file with the entry. */
  readonly home: string;
  /** No file of the project defines the function. */
  readonly missing: boolean;
  /** The parameters of a hook without code, with their defaults and the filter `when`. Code has none. */
  readonly parameters: JsonObject;
  /** The written policy of code. Empty for other hooks, which always refuse the call when they fail. */
  readonly policy: HookPolicy;
}

/** The limit of a hook whose policy sets none, in milliseconds. */
export const defaultHookTimeoutMs = 60_000;

/** Returns the hooks of an agent: those that wrap its calls, outermost first, then those of phases, in the order of a turn. */
export function hookChain(card: Card, parsed: ParsedFolder): ChainEntry[] {
  // A remote agent calls no tools here, so nothing of a chain runs.
  if (card.type === 'a2a') return [];
  const { run_hooks } = parsed.settings;
  const around = [
    ...run_hooks.map((entry, index) => settingsEntry(parsed, entry, 'run', index)),
    ...agentHooks(parsed, card.name).map((entry, index) => settingsEntry(parsed, entry, 'agent settings', index)),
    ...cardChain(card).map((code, index) => cardEntry(parsed, card, code, `tool_hooks.${index}`, 'around')),
  ];
  let inRun = 0;
  const placed = around.map((entry, index): ChainEntry => {
    return { ...entry, place: index + 1, placeInRun: entry.off ? 0 : ++inRun };
  });
  return [...placed, ...phaseEntries(card, parsed)];
}

/** Returns the entries of `agent_hooks` for an agent. Its name may be that of a property of every object. */
export function agentHooks({ settings }: ParsedFolder, agent: string): readonly HookEntry[] {
  return Object.hasOwn(settings.agent_hooks, agent) ? (settings.agent_hooks[agent] ?? []) : [];
}

export function cardChain(card: Card): readonly CodeRef[] {
  return card.type === 'agent' && card.toolHooks.form === 'chain' ? card.toolHooks.chain : [];
}

/** Returns the policy of a hook as the runtime finds it: that of the path in the folder, otherwise that of the spec. */
export function policyOf({ settings }: ParsedFolder, { spec, file, functionName }: CodeRef): HookPolicy {
  const path = `${file}:${functionName}`;
  if (Object.hasOwn(settings.hooks, path)) return settings.hooks[path] ?? {};
  return (Object.hasOwn(settings.hooks, spec) ? settings.hooks[spec] : undefined) ?? {};
}

function phaseEntries(card: Card, parsed: ParsedFolder): ChainEntry[] {
  if (card.type !== 'agent') return [];
  const { toolHooks, lifecycleHooks } = card;
  const phases = toolHooks.form === 'phases' ? toolHooks.phases : {};
  return [
    ...toolHookPhases.flatMap((phase) => {
      const code = phases[phase];
      return code === undefined ? [] : [cardEntry(parsed, card, code, `tool_hooks.${phase}`, phase)];
    }),
    ...lifecyclePhases.flatMap((phase) => {
      const code = lifecycleHooks[phase];
      return code === undefined ? [] : [cardEntry(parsed, card, code, `lifecycle_hooks.${phase}`, phase)];
    }),
  ];
}

function cardEntry(parsed: ParsedFolder, card: Card, code: CodeRef, id: string, phase: HookPhase): ChainEntry {
  return {
    ...codeEntry(parsed, code, id, card.file, phase),
    off: isCardHookOff(parsed.settings, card.name, phase, code),
  };
}

function settingsEntry(
  parsed: ParsedFolder,
  entry: HookEntry,
  origin: 'run' | 'agent settings',
  index: number,
): ChainEntry {
  const id = `${origin === 'run' ? 'run_hooks' : 'agent_hooks'}.${index}`;
  const home = settingsFileOf(parsed);
  const off = entry.off === true;
  if (entry.kind === 'code') return { ...codeEntry(parsed, entry.code, id, home, 'around'), origin, off };
  const { kind, off: _, ...parameters } = entry;
  return {
    id,
    kind,
    origin,
    phase: 'around',
    place: 0,
    placeInRun: 0,
    off,
    name: kind,
    spec: describeHook(entry),
    file: home,
    functionName: kind,
    home,
    missing: false,
    parameters: givenOnly(parameters),
    policy: {},
  };
}

function codeEntry(parsed: ParsedFolder, code: CodeRef, id: string, home: string, phase: HookPhase): ChainEntry {
  return {
    id,
    kind: 'code',
    origin: 'card',
    phase,
    place: 0,
    placeInRun: 0,
    off: false,
    name: code.functionName,
    ...code,
    home,
    missing: parsed.missingCode.has(`${code.file}:${code.functionName}`),
    parameters: {},
    policy: policyOf(parsed, code),
  };
}

/** Returns the parameters that have a value. */
function givenOnly(parameters: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Returns a short description, such as `clamp x to 0 … 10` or `block shell*`. */
export function describeHook(hook: DeclarativeHook): string {
  const on = hook.when?.tool === undefined ? '' : ` on ${[hook.when.tool].flat().join(', ')}`;
  switch (hook.kind) {
    case 'clamp':
      return `clamp ${hook.argument} to ${hook.min ?? '−∞'} … ${hook.max ?? '∞'}${on}`;
    case 'rename':
      return `rename ${hook.from} to ${hook.to}${on}`;
    case 'default':
      return `default ${hook.argument}${on}`;
    case 'redact':
      return `redact ${hook.in === 'both' ? 'arguments and result' : hook.in}${on}`;
    case 'truncate':
      return `truncate to ${hook.max_chars} characters${on}`;
    case 'rate_limit':
      return `rate_limit ${hook.calls} in ${hook.per_ms} ms${on}`;
    case 'retry':
      return `retry up to ${hook.attempts} times${on}`;
    case 'block':
    case 'cache':
    case 'log':
      return `${hook.kind}${on}`;
    default:
      return assertNever(hook);
  }
}
