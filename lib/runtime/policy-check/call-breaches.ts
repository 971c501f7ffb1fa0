import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { identityOf } from '@/lib/cards/hook-when';
import { hooksOffOf, withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { PolicyBreach, PolicyRule } from '@/lib/cards/policy/rule';
import { planHooks } from '@/lib/runtime/hook-layers/hook-plan';
import { hookBreaches } from '@/lib/runtime/policy/call-policy';
import type { HookPort } from '@/lib/runtime/ports';
import { type PreviewTool, previewSurface, type ServerListing } from '@/lib/runtime/surface/surface-preview';

export interface KnownOfServers {
  /** What servers listed when they were last tested. */
  readonly listings: Readonly<Record<string, ServerListing>>;
  /** What rules about tools that write do with a tool whose server did not say, or was not asked, whether it only reads. */
  readonly unknown: 'may write' | 'is left to the call';
}

/**
 * Returns the rules about hooks that calls of a folder would break, as far as the folder and the listed tools of its servers tell. Of a
 * server that listed nothing yet, the tools count that a card names. A run looks at each call again (lib/runtime/policy), so nothing that
 * is not known here goes past a rule.
 */
export function callBreaches(
  rules: readonly PolicyRule[],
  folder: Folder,
  written: ParsedFolder,
  { listings, unknown }: KnownOfServers,
): readonly PolicyBreach[] {
  const about = rules.filter(({ demand }) => demand.kind === 'hook');
  if (about.length === 0) return [];
  const parsed = withoutHooksOff(written);
  const planned = planHooks(parsed.settings, neverCalled);
  return parsed.cards.flatMap((card, index) => {
    if (card.type !== 'agent') return [];
    const switchedOff = hooksOffOf(written.cards[index] ?? card, written.settings);
    const chain = planned.chainOf(card, true);
    const found = new Map<string, PolicyBreach>();
    const { tools } = previewSurface(parsed, folder, card, withNamed(card, listings));
    // A tool that is known to break a rule is named before one that may do so.
    for (const { name, source, from, readOnly } of tools.toSorted(
      (a, b) => Number(isUnknown(a)) - Number(isUnknown(b)),
    )) {
      const serverName = source === 'mcp' ? from : undefined;
      const identity = identityOf(source, serverName, name);
      const layers = chain.filter(({ layer }) => layer.matches(identity, [name]));
      const remoteName = serverName !== undefined ? name.slice(serverName.length + 2) : undefined;
      const tool = { name, source, remoteName, readOnly };
      const isGuess = isUnknown({ source, readOnly });
      const asked = about.filter((rule) => !isGuess || unknown === 'may write' || !isAboutWriting(rule));
      for (const breach of hookBreaches(asked, { tool, callers: [card.name] }, layers)) {
        // One sentence for each rule and agent: the first tool stands for the others.
        const key = breach.rule.id;
        const next =
          isGuess && isAboutWriting(breach.rule)
            ? ` Nobody knows whether it only reads: test the server '${serverName}'.`
            : '';
        const { demand } = breach.rule;
        const isOff = demand.kind === 'hook' && switchedOff.includes(demand.hook);
        const off = isOff ? ' The hook is switched off: switch it on.' : '';
        const message = `${breach.message.replace(' broken: ', ` broken in agent '${card.name}': `)}${off}${next}`;
        if (!found.has(key)) found.set(key, { ...breach, message, file: card.file, line: 1 });
      }
    }
    return [...found.values()];
  });
}

function isUnknown({ source, readOnly }: Pick<PreviewTool, 'source' | 'readOnly'>): boolean {
  return source === 'mcp' && readOnly === undefined;
}

function isAboutWriting({ demand }: PolicyRule): boolean {
  return 'writes' in demand && demand.writes === true;
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
