import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { PolicyBreach, PolicyRule } from '@/lib/cards/policy/rule';
import { planHooks } from '@/lib/runtime/hook-layers/hook-plan';
import { identityOf } from '@/lib/runtime/hooks/call-hooks';
import { hookBreaches } from '@/lib/runtime/policy/call-policy';
import type { HookPort } from '@/lib/runtime/ports';
import { previewSurface, type ServerListing } from '@/lib/runtime/surface/surface-preview';

/**
 * Returns the rules about hooks that calls of a folder would break, as far as the folder and the listed tools of its servers tell. Of a
 * server that listed nothing yet, the tools count that a card names. Whether a tool of a server writes is not known here. A run looks at
 * each call again (lib/runtime/policy), so nothing that is not known here goes past a rule.
 */
export function callBreaches(
  rules: readonly PolicyRule[],
  folder: Folder,
  parsed: ParsedFolder,
  listings: Readonly<Record<string, ServerListing>> = {},
): readonly PolicyBreach[] {
  const about = rules.filter(({ demand }) => demand.kind === 'hook');
  if (about.length === 0) return [];
  const planned = planHooks(parsed.settings, neverCalled);
  return parsed.cards.flatMap((card) => {
    if (card.type !== 'agent') return [];
    const chain = planned.chainOf(card, true);
    const found = new Map<string, PolicyBreach>();
    for (const { name, source, from } of previewSurface(parsed, folder, card, withNamed(card, listings)).tools) {
      const serverName = source === 'mcp' ? from : undefined;
      const identity = identityOf(source, serverName, name);
      const layers = chain.filter(({ layer }) => layer.matches(identity, name));
      const remoteName = serverName !== undefined ? name.slice(serverName.length + 2) : undefined;
      const tool = { name, source, ...(remoteName !== undefined && { remoteName }) };
      const known =
        source === 'mcp' ? about.filter(({ demand }) => !('writes' in demand && demand.writes === true)) : about;
      for (const breach of hookBreaches(known, { tool, callers: [card.name] }, layers)) {
        // One sentence for each rule and agent: the first tool stands for the others.
        const key = breach.rule.id;
        const message = breach.message.replace(' broken: ', ` broken in agent '${card.name}': `);
        if (!found.has(key)) found.set(key, { ...breach, message, file: card.file, line: 1 });
      }
    }
    return [...found.values()];
  });
}

function withNamed(card: AgentCard, listings: Readonly<Record<string, ServerListing>>): Record<string, ServerListing> {
  const named = Object.entries(card.tools)
    .filter(([server]) => !Object.hasOwn(listings, server))
    .map(([server, patterns]): [string, ServerListing] => {
      const names = patterns.filter((pattern) => !/[*?[\]]/.test(pattern));
      return [server, { tools: names.map((name) => ({ name, inputSchema: {} })) }];
    });
  return { ...listings, ...Object.fromEntries(named) };
}

/** The chain is only looked at. */
const neverCalled: HookPort = {
  load: () => Promise.resolve([]),
  around: () => Promise.reject(new Error('A hook of a preview was called')),
  phase: () => Promise.reject(new Error('A hook of a preview was called')),
};
