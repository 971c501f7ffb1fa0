import type { Issue } from '@/lib/base/issue';
import { lineStarts } from '@/lib/base/text-lines';
import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/**
 * Returns a warning for each Python tool and hook, for an installation where Python is off, because a run that needs one
 * cannot start (docs/code.md). The folder itself is not faulty.
 */
export function pythonOffIssues(folder: Folder, parsed: ParsedFolder): Issue[] {
  const { cards, settings, settingsFile = 'callboard.yaml' } = withoutHooksOff(parsed);
  const { run_hooks, agent_hooks } = settings;
  const entries = [...run_hooks, ...Object.values(agent_hooks).flat()];
  return [
    ...cards.flatMap((card) => (card.type === 'agent' ? cardIssues(folder, card) : [])),
    ...entries.flatMap((entry) => (entry.kind === 'code' ? pythonIssue(folder, settingsFile, 'Hook', entry.code) : [])),
  ];
}

function cardIssues(folder: Folder, card: AgentCard): Issue[] {
  const { toolHooks, lifecycleHooks } = card;
  const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
  const chain = toolHooks.form === 'chain' ? toolHooks.chain : [];
  const hooks = [...chain, ...phases, ...Object.values(lifecycleHooks)].filter((ref) => ref !== undefined);
  return [
    ...card.functionTools.flatMap(({ entrypoint, file, functionName }) =>
      pythonIssue(folder, card.file, 'Function tool', { spec: entrypoint, file, functionName }, card.name),
    ),
    ...hooks.flatMap((ref) => pythonIssue(folder, card.file, 'Hook', ref, card.name)),
  ];
}

function pythonIssue(
  folder: Folder,
  file: string,
  what: string,
  { spec, file: code }: CodeRef,
  agent?: string,
): Issue[] {
  if (!/\.py$/i.test(code) || !folder.has(code)) return [];
  const entry = folder.get(file);
  const before = entry?.kind === 'text' ? entry.text.slice(0, Math.max(0, entry.text.indexOf(spec))) : '';
  return [
    {
      code: 'python-off',
      severity: 'warning',
      stage: 'callboard',
      file,
      line: lineStarts(before).length,
      column: before.length - (lineStarts(before).at(-1) ?? 0) + 1,
      message: `${what} '${spec}' is Python, which is off here: a run that needs it does not start. An operator turns it on with CALLBOARD_PYTHON=1.`,
      ...(agent === undefined ? {} : { agent }),
    },
  ];
}
