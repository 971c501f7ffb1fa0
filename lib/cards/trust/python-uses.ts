import type { AgentCard, CodeRef } from '@/lib/cards/card';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** A function in a .py file, and who names it, such as `agent 'writer'`. */
export interface PythonUse {
  readonly ref: CodeRef;
  readonly usedBy: string;
}

/** Returns the functions in .py files that cards or callboard.yaml name. A hook that is switched off runs nothing. */
export function pythonUses(parsed: Pick<ParsedFolder, 'cards' | 'settings' | 'settingsFile'>): PythonUse[] {
  const { cards, settings, settingsFile } = withoutHooksOff(parsed);
  const hooks = [...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()];
  const uses = [
    ...hooks.flatMap((hook) => (hook.kind === 'code' ? [{ ref: hook.code, usedBy: settingsFile ?? 'hooks' }] : [])),
    ...cards.flatMap((card) =>
      card.type === 'agent' ? codeOf(card).map((ref) => ({ ref, usedBy: `agent '${card.name}'` })) : [],
    ),
  ];
  return uses.filter(({ ref }) => /\.py$/i.test(ref.file));
}

function codeOf(card: AgentCard): CodeRef[] {
  const { functionTools, toolHooks, lifecycleHooks } = card;
  const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
  return [
    ...functionTools.map(({ entrypoint, file, functionName }) => ({ spec: entrypoint, file, functionName })),
    ...(toolHooks.form === 'chain' ? toolHooks.chain : []),
    ...[...phases, ...Object.values(lifecycleHooks)].filter((ref) => ref !== undefined),
  ];
}
