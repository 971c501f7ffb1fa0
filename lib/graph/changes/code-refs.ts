import type { CodeRef } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** A function of a code file, and what uses it. */
export interface UsedCode {
  readonly code: CodeRef;
  readonly as: 'tool' | 'hook';
}

/** Returns every function that cards and callboard.yaml use, in their order. */
export function codeRefsOf({ cards, settings }: Pick<ParsedFolder, 'cards' | 'settings'>): UsedCode[] {
  const written = [...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()];
  return [
    ...written.flatMap((hook): UsedCode[] => (hook.kind === 'code' ? [{ code: hook.code, as: 'hook' }] : [])),
    ...cards.flatMap((card): UsedCode[] => {
      if (card.type !== 'agent') return [];
      const { functionTools, toolHooks, lifecycleHooks } = card;
      const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
      const hooks = [
        ...(toolHooks.form === 'chain' ? toolHooks.chain : []),
        ...phases,
        ...Object.values(lifecycleHooks),
      ];
      return [
        ...functionTools.map(({ entrypoint, file, functionName }): UsedCode => {
          return { code: { spec: entrypoint, file, functionName }, as: 'tool' };
        }),
        ...hooks.flatMap((code): UsedCode[] => (code === undefined ? [] : [{ code, as: 'hook' }])),
      ];
    }),
  ];
}
