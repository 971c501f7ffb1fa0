import { assertNever } from '@/lib/base/assert';
import { type AgentCard, type CodeRef, toolHookPhases } from '@/lib/cards/card';
import type { DeclarativeHook, HookEntry } from '@/lib/cards/hook-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { HookBead } from './graph';

/**
 * Returns the hooks that wrap the tool calls of an agent, outermost first: `run_hooks`, `agent_hooks`, then those of the
 * card.
 */
export function hookBeads(card: AgentCard, parsed: ParsedFolder): HookBead[] {
  const { run_hooks, agent_hooks } = parsed.settings;
  const own = Object.hasOwn(agent_hooks, card.name) ? (agent_hooks[card.name] ?? []) : [];
  return [
    ...run_hooks.map((entry, index) => settingsBead(entry, `run_hooks.${index}`, parsed)),
    ...own.map((entry, index) => settingsBead(entry, `agent_hooks.${card.name}.${index}`, parsed)),
    ...cardBeads(card, parsed),
  ];
}

function cardBeads({ toolHooks }: AgentCard, parsed: ParsedFolder): HookBead[] {
  switch (toolHooks.form) {
    case 'none':
      return [];
    case 'chain':
      return toolHooks.chain.map((ref) => codeBead(ref, 'around', parsed));
    case 'phases':
      return toolHookPhases.flatMap((phase) => {
        const ref = toolHooks.phases[phase];
        return ref === undefined ? [] : [codeBead(ref, phase, parsed)];
      });
    default:
      return assertNever(toolHooks);
  }
}

function settingsBead(entry: HookEntry, place: string, parsed: ParsedFolder): HookBead {
  if (entry.kind === 'code') return { ...codeBead(entry.code, 'around', parsed), place };
  return {
    spec: describeHook(entry),
    file: parsed.settingsFile ?? 'callboard.yaml',
    functionName: entry.kind,
    phase: 'around',
    missing: false,
    place,
    declarative: entry.kind,
  };
}

function codeBead(ref: CodeRef, phase: HookBead['phase'], parsed: ParsedFolder): HookBead {
  return { ...ref, phase, missing: !parsed.roles.has(ref.file) };
}

/** Returns a short description, such as `clamp x to 0 … 10` or `block shell*`. */
function describeHook(hook: DeclarativeHook): string {
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
