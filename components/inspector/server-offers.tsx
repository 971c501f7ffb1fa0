'use client';

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useDrifts, useServerActions, useServers } from '@/components/editor-state/servers-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { OfferList } from '@/components/servers/offer-list';
import { ServerTestPanel } from '@/components/servers/server-test';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AgentCard, RouterCard } from '@/lib/cards/card';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { driftWords, offeredBy } from '@/lib/editor/server-listing';
import { Group } from './group';

const titles: Readonly<Record<FilterKind, string>> = { tools: 'Tools', resources: 'Resources', prompts: 'Prompts' };

/** What an agent takes of a server: its tools, resources and prompts, picked from what the server listed. */
export function EdgeOffers(props: { readonly card: AgentCard | RouterCard; readonly server: string }) {
  const { card, server } = props;
  const known = useServers((state) => (Object.hasOwn(state.known, server) ? state.known[server] : undefined));
  const kinds = (['tools', 'resources', 'prompts'] as const).filter((kind) => {
    // A router may only choose with tools, and most servers have no prompts.
    const has = known !== undefined && offeredBy(known.listing, kind).length > 0;
    return kind === 'tools' || has || Object.hasOwn(card[kind], server);
  });
  return (
    <>
      <Group title="What the server offers">
        <ServerTestPanel server={server} compact />
        <ListedAt server={server} />
      </Group>
      {kinds.map((kind) => (
        <KindGroup key={kind} card={card} server={server} kind={kind} />
      ))}
    </>
  );
}

/** Says how old the list is, unless a test of this session says it. */
function ListedAt({ server }: { readonly server: string }) {
  const probedAt = useServers(({ known }) =>
    Object.hasOwn(known, server) ? known[server]?.listing.probedAt : undefined,
  );
  const tested = useServers((state) => state.tests.has(server));
  if (tested) return null;
  if (probedAt === undefined)
    return <p className="text-muted text-xs">Test the server to see its tools and pick from them.</p>;
  return (
    <p className="text-faint text-xs">
      Listed <TimeAgo at={new Date(probedAt)} />
    </p>
  );
}

function KindGroup(props: {
  readonly card: AgentCard | RouterCard;
  readonly server: string;
  readonly kind: FilterKind;
}) {
  const { card, server, kind } = props;
  const commands = useCommands();
  const actions = useServerActions();
  const mayEdit = useProject((state) => state.mayEdit);
  const known = useServers((state) => (Object.hasOwn(state.known, server) ? state.known[server] : undefined));
  const drift = useDrifts().find((one) => one.agent === card.name && one.server === server && one.kind === kind)?.drift;
  const patterns = Object.hasOwn(card[kind], server) ? card[kind][server] : undefined;
  const change = (next: readonly string[] | undefined) => commands.setServerFilter(card, server, kind, next);
  return (
    <Group title={titles[kind]}>
      {drift === undefined ? null : (
        <div
          role="note"
          className="flex flex-col items-start gap-1.5 rounded border border-warn bg-warn-soft px-2.5 py-2"
        >
          <p className="flex items-start gap-1.5 text-warn text-xs">
            <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
            <span className="min-w-0 break-words">
              The {kind} changed since they were picked ({driftWords(drift)}).
            </span>
          </p>
          <Button size="sm" onClick={() => actions.accept(server, card.name, [kind])}>
            Keep what is picked
          </Button>
        </div>
      )}
      <OfferList
        kind={kind}
        server={server}
        offered={known === undefined ? undefined : offeredBy(known.listing, kind)}
        patterns={patterns}
        drift={drift}
        onChange={change}
        onTry={
          kind === 'tools' && mayEdit
            ? (tool) => commands.openToolBench({ kind: 'server', server, tool, agent: card.name })
            : undefined
        }
      />
      <AddPattern kind={kind} onAdd={(pattern) => change([...(patterns ?? []), pattern])} taken={patterns ?? []} />
    </Group>
  );
}

/** Adds a name or a pattern by hand, also before the server was tested. */
function AddPattern(props: {
  readonly kind: FilterKind;
  readonly taken: readonly string[];
  readonly onAdd: (pattern: string) => void;
}) {
  const { kind, taken, onAdd } = props;
  const [text, setText] = useState('');
  const pattern = text.trim();
  const add = () => {
    if (pattern === '') return;
    if (!taken.includes(pattern)) onAdd(pattern);
    setText('');
  };
  return (
    <div className="flex gap-1.5">
      <Input
        aria-label={`Pattern for ${kind}`}
        className="!h-7 font-mono !text-xs"
        value={text}
        placeholder={kind === 'resources' ? 'file:///docs/*' : 'find_*'}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <Button size="sm" disabled={pattern === ''} onClick={add}>
        Add pattern
      </Button>
    </div>
  );
}
