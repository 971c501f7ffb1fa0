import type { AgentCard, CodeRef } from '@/lib/cards/card';
import { isScript } from '@/lib/cards/code/read-script';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** A function in a file, and who names it, such as `agent 'writer'`. */
export interface CodeUse {
  readonly ref: CodeRef;
  readonly usedBy: string;
}

/** Returns the functions in .py files that cards or callboard.yaml name. A hook that is switched off runs nothing. */
export function pythonUses(parsed: Parsed): CodeUse[] {
  return codeUses(parsed).filter(({ ref }) => /\.py$/i.test(ref.file));
}

/** Returns the .js and .ts files with tools and hooks that cards or callboard.yaml name. They run in the sandbox. */
export function sandboxedFiles(parsed: Parsed): ReadonlySet<string> {
  return new Set(codeUses(parsed).flatMap(({ ref }) => (isScript(ref.file) ? [ref.file] : [])));
}

type Parsed = Pick<ParsedFolder, 'cards' | 'settings' | 'settingsFile'>;

function codeUses(parsed: Parsed): CodeUse[] {
  const { cards, settings, settingsFile } = withoutHooksOff(parsed);
  const hooks = [...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()];
  return [
    ...hooks.flatMap((hook) => (hook.kind === 'code' ? [{ ref: hook.code, usedBy: settingsFile ?? 'hooks' }] : [])),
    ...cards.flatMap((card) =>
      card.type === 'agent' ? codeOf(card).map((ref) => ({ ref, usedBy: `agent '${card.name}'` })) : [],
    ),
  ];
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
