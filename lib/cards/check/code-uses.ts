import type { Card, CodeRef } from '@/lib/cards/card';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** A code file that an agent loads. */
export interface CodeUse {
  readonly file: string;
  /** `undefined` if callboard.yaml names the file for every agent. */
  readonly agent: string | undefined;
}

/** Returns the code files that cards, and the hooks of callboard.yaml, name. Those of hooks that are off are not loaded. */
export function codeUses(parsed: Pick<ParsedFolder, 'cards' | 'settings'>): CodeUse[] {
  const { cards, settings } = withoutHooksOff(parsed);
  return [
    ...cards.flatMap((card) => ofCard(card).map(({ file }) => ({ file, agent: card.name }))),
    ...settings.run_hooks.flatMap((entry) =>
      entry.kind === 'code' ? [{ file: entry.code.file, agent: undefined }] : [],
    ),
    ...Object.entries(settings.agent_hooks).flatMap(([agent, entries]) =>
      entries.flatMap((entry) => (entry.kind === 'code' ? [{ file: entry.code.file, agent }] : [])),
    ),
  ];
}

function ofCard(card: Card): readonly Pick<CodeRef, 'file'>[] {
  if (card.type !== 'agent') return [];
  const { functionTools, toolHooks, lifecycleHooks } = card;
  const chain = toolHooks.form === 'chain' ? toolHooks.chain : [];
  const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
  const hooks = [...chain, ...phases, ...Object.values(lifecycleHooks)].filter((ref) => ref !== undefined);
  return [...functionTools, ...hooks];
}
