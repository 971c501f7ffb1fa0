import type { Issue } from '@/lib/base/issue';
import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { HostIssue } from './host/code-host';
import type { CodeUse } from './host/protocol';
import { placeOfSpec } from './place-of-spec';

/** Yields every function that a card names, and what the card uses it for. */
export function* codeOf(card: AgentCard): Generator<{ ref: CodeRef; use: CodeUse }> {
  for (const tool of card.functionTools) yield { ref: refOf(tool), use: 'tool' };
  if (card.toolHooks.form === 'chain') {
    for (const ref of card.toolHooks.chain) yield { ref, use: 'middleware' };
  }
  if (card.toolHooks.form === 'phases') {
    for (const ref of Object.values(card.toolHooks.phases)) if (ref !== undefined) yield { ref, use: 'phase' };
  }
  for (const ref of Object.values(card.lifecycleHooks)) if (ref !== undefined) yield { ref, use: 'phase' };
}

export function refOf(tool: AgentCard['functionTools'][number]): CodeRef {
  return { spec: tool.entrypoint, file: tool.file, functionName: tool.functionName };
}

/** Returns the issue of a card whose code cannot be used. */
export function issueOf(folder: Folder, card: AgentCard, ref: CodeRef, use: CodeUse, issue: HostIssue): Issue {
  const what = use === 'tool' ? 'Function tool' : 'Hook';
  const { file, line, column } = issue.place ?? placeOfSpec(folder, card, ref.spec);
  return {
    code: issue.code,
    severity: 'error',
    stage: 'callboard',
    file,
    line,
    column: column ?? 1,
    message: `${what} '${ref.spec}': ${issue.message}`,
    agent: card.name,
  };
}
