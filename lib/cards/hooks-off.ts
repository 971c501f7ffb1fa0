import { own } from '@/lib/base/own';
import type { Card, CodeRef } from './card';
import type { CardHookPhase, HookEntry } from './hook-settings';
import type { ParsedFolder } from './parsed-folder';
import type { Settings } from './settings';

/*
 * Hooks that are switched off: they stay in the files, and every run skips them. docs/decisions/0101 says where the switch is
 * written and why.
 */

/** True if callboard.yaml switches a hook of a card off. `around` stands for the list of `tool_hooks`. */
export function isCardHookOff(
  settings: Pick<Settings, 'hooks_off'>,
  agent: string,
  phase: CardHookPhase | 'around',
  { spec }: Pick<CodeRef, 'spec'>,
): boolean {
  const off = own(settings.hooks_off, agent);
  return phase === 'around' ? (off?.tool_hooks?.includes(spec) ?? false) : off?.[phase] === spec;
}

type Hooked = Pick<ParsedFolder, 'cards' | 'settings'>;

/** Returns what a run has of a folder: its cards and settings without the hooks that are switched off. */
export function withoutHooksOff<T extends Hooked>(parsed: T): T {
  const { cards, settings } = parsed;
  const { run_hooks, agent_hooks } = settings;
  const chains = [run_hooks, ...Object.values(agent_hooks)];
  const isAllOn = Object.keys(settings.hooks_off).length === 0 && chains.every((chain) => chain.every(isOn));
  if (isAllOn) return parsed;
  return {
    ...parsed,
    cards: cards.map((card) => cardWithoutHooksOff(card, settings)),
    settings: {
      ...settings,
      run_hooks: run_hooks.filter(isOn),
      agent_hooks: Object.fromEntries(Object.entries(agent_hooks).map(([agent, chain]) => [agent, chain.filter(isOn)])),
    },
  };
}

function isOn({ off }: HookEntry): boolean {
  return off !== true;
}

/** Returns a card without the hooks that callboard.yaml switches off. A card without such hooks is returned as it is. */
export function cardWithoutHooksOff<C extends Card>(card: C, settings: Pick<Settings, 'hooks_off'>): C {
  if (card.type !== 'agent' || own(settings.hooks_off, card.name) === undefined) return card;
  const { toolHooks, lifecycleHooks } = card;
  const isOff = (phase: CardHookPhase | 'around', code: CodeRef) => isCardHookOff(settings, card.name, phase, code);
  return {
    ...card,
    toolHooks:
      toolHooks.form === 'chain'
        ? { ...toolHooks, chain: toolHooks.chain.filter((code) => !isOff('around', code)) }
        : toolHooks.form === 'phases'
          ? { ...toolHooks, phases: phasesOn(toolHooks.phases, isOff) }
          : toolHooks,
    lifecycleHooks: phasesOn(lifecycleHooks, isOff),
  };
}

/** Returns the hooks that wrap calls of an agent and are off, as rules of a team name them: `file:function`, or the kind. */
export function hooksOffOf(card: Card, settings: Pick<Settings, 'run_hooks' | 'agent_hooks' | 'hooks_off'>): string[] {
  const written = [...settings.run_hooks, ...(own(settings.agent_hooks, card.name) ?? [])];
  const chain = card.type === 'agent' && card.toolHooks.form === 'chain' ? card.toolHooks.chain : [];
  return [
    ...written.flatMap((entry) => (isOn(entry) ? [] : [entry.kind === 'code' ? nameOf(entry.code) : entry.kind])),
    ...chain.flatMap((code) => (isCardHookOff(settings, card.name, 'around', code) ? [nameOf(code)] : [])),
  ];
}

function nameOf({ file, functionName }: CodeRef): string {
  return `${file}:${functionName}`;
}

function phasesOn<P extends CardHookPhase>(
  phases: Readonly<Partial<Record<P, CodeRef>>>,
  isOff: (phase: P, code: CodeRef) => boolean,
): Partial<Record<P, CodeRef>> {
  const on: Partial<Record<P, CodeRef>> = {};
  for (const phase in phases) {
    const code = phases[phase];
    if (code !== undefined && !isOff(phase, code)) on[phase] = code;
  }
  return on;
}
