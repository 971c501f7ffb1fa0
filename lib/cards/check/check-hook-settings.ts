import type { Issue } from '@/lib/base/issue';
import type { AgentCard, Card, CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { type CardHookPhase, type CardHooksOff, cardHookPhases, type HookEntry } from '@/lib/cards/hook-settings';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { type FileReport, makeIssue } from '@/lib/cards/read/file-report';
import type { Settings } from '@/lib/cards/settings';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { codeFaults } from './check-code';

/** Checks `run_hooks`, `agent_hooks`, `hooks` and `hooks_off` of callboard.yaml against the cards and the code. */
export function checkHookSettings(input: {
  readonly folder: Folder;
  readonly settings: Settings;
  readonly report: FileReport;
  readonly cards: readonly Card[];
  readonly brokenNames: ReadonlySet<string>;
}): Issue[] {
  const { folder, settings, report, cards, brokenNames } = input;
  const issues: Issue[] = [];
  const add = (code: IssueCode, path: Path, message: string) =>
    issues.push(makeIssue(code, { file: report.file, ...report.keyPlaceOf(path) }, message));

  // When two cards have the same name, the first one is used.
  const byName = new Map([...cards].reverse().map((card) => [card.name, card]));
  const checkEntries = (entries: readonly HookEntry[], path: Path) => {
    entries.forEach((entry, index) => {
      if (entry.off === true) {
        const name = entry.kind === 'code' ? entry.code.spec : entry.kind;
        add(
          'hook-off',
          [...path, index, 'enabled'],
          `Hook '${name}' of '${path.join('.')}' is off (enabled: false): ${skipped}`,
        );
        return;
      }
      if (entry.kind !== 'code') return;
      for (const { code, text } of codeFaults(folder, entry.code, 'middleware')) add(code, [...path, index], text);
    });
  };
  checkEntries(settings.run_hooks, ['run_hooks']);
  for (const [name, entries] of Object.entries(settings.agent_hooks)) {
    const path = ['agent_hooks', name];
    checkEntries(entries, path);
    if (byName.get(name)?.type === 'a2a') {
      const text = `'${name}' is a remote agent and calls no tools, so these hooks are unused. Remove them.`;
      add('settings-unused-hook', path, text);
    }
  }
  const used = namesOfHooks(settings, cards);
  for (const name of Object.keys(settings.hooks)) {
    // An unreadable card may use the hook.
    if (used.has(name) || brokenNames.size > 0) continue;
    const text = `'hooks' has a policy for '${name}', which no card and no chain names. Correct it or remove it.`;
    add('settings-unused-hook', ['hooks', name], text);
  }
  for (const [agent, off] of Object.entries(settings.hooks_off)) {
    const card = byName.get(agent);
    for (const { path, phase, spec } of switchesIn(off)) {
      const at = ['hooks_off', agent, ...path];
      const has = card?.type === 'agent' && hooksAt(card, phase).some((code) => code.spec === spec);
      if (has) add('hook-off', at, `Hook '${spec}' of '${agent}' is off (${at.slice(0, 3).join('.')}): ${skipped}`);
      else if (card !== undefined) {
        const where = phase === 'around' ? 'tool_hooks' : phase;
        const text = `'hooks_off' names '${spec}', which is no hook in ${where} of '${agent}', so it switches nothing off. Correct it as the card writes it, or remove it.`;
        add('settings-unused-hook', at, text);
      }
    }
  }
  return issues;
}

const skipped = 'every run skips it. Switch it on, or remove it.';

interface Switch {
  /** The path below the agent. */
  readonly path: Path;
  readonly phase: CardHookPhase | 'around';
  readonly spec: string;
}

function switchesIn(off: CardHooksOff): Switch[] {
  return [
    ...(off.tool_hooks ?? []).map((spec, index): Switch => ({ path: ['tool_hooks', index], phase: 'around', spec })),
    ...cardHookPhases.flatMap((phase): Switch[] => {
      const spec = off[phase];
      return spec === undefined ? [] : [{ path: [phase], phase, spec }];
    }),
  ];
}

function hooksAt({ toolHooks, lifecycleHooks }: AgentCard, phase: Switch['phase']): readonly CodeRef[] {
  if (phase === 'around') return toolHooks.form === 'chain' ? toolHooks.chain : [];
  const phases = { ...(toolHooks.form === 'phases' ? toolHooks.phases : {}), ...lifecycleHooks };
  const code = phases[phase];
  return code === undefined ? [] : [code];
}

/** Returns the names under which a policy may refer to a hook: as written, and by its path in the folder. */
function namesOfHooks(settings: Settings, cards: readonly Card[]): ReadonlySet<string> {
  const entries = [...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()];
  const refs = entries.flatMap((entry) => (entry.kind === 'code' ? [entry.code] : []));
  for (const card of cards) if (card.type === 'agent') refs.push(...hooksOfCard(card));
  return new Set(refs.flatMap(({ spec, file, functionName }) => [spec, `${file}:${functionName}`]));
}

function hooksOfCard({ toolHooks, lifecycleHooks }: AgentCard): readonly CodeRef[] {
  const chain = toolHooks.form === 'chain' ? toolHooks.chain : [];
  const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
  return [...chain, ...phases, ...Object.values(lifecycleHooks)];
}
