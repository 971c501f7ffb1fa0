'use client';

import { Wrench } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { type ReactNode, useMemo, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useServers } from '@/components/editor-state/servers-context';
import { ServerTestPanel } from '@/components/servers/server-test';
import { QueryProvider } from '@/components/shell/query-provider';
import { EmptyState } from '@/components/ui/empty-state';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { AgentCard, CardType } from '@/lib/cards/card';
import { linkedInstance } from '@/lib/editor/surface-link';
import { previewInstruction } from '@/lib/runtime/instruction/instruction-preview';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
import { RecordedSurface } from './recorded-surface';
import { SurfaceView } from './surface-view';

/**
 * Shows what the model of the selected agent will be offered: its tools in their order and the final instruction. It
 * follows the card as it is edited.
 */
export function SurfaceTab() {
  const only = useProject((state) => (state.selection.length === 1 ? state.selection[0] : undefined));
  const cards = useProject((state) => state.picture.drawn.cards);
  const node = useProject((state) => (only === undefined ? undefined : state.picture.nodes.get(only)));
  const card = node?.kind === 'agent' ? cards.find((one) => one.file === node.file) : undefined;
  if (card?.type !== 'agent') {
    return (
      <EmptyState icon={<Wrench aria-hidden />} title={card === undefined ? 'No agent selected' : 'No tools'}>
        {card === undefined ? 'Select an agent to see the tools that its model is offered.' : noTools(card.type)}
      </EmptyState>
    );
  }
  return (
    <section aria-label={`Tools of ${card.name}`} className="flex flex-col gap-3 p-3 text-sm">
      <Surfaces key={card.name} card={card} />
    </section>
  );
}

/** Lets the person choose between the card as it is now and a recorded run. */
function Surfaces({ card }: { readonly card: AgentCard }) {
  const [opened] = useState(() => linkedInstance(window.location.search, card.name));
  const [source, setSource] = useState(opened === undefined ? 'now' : 'recorded');
  return (
    <>
      <RadioGroup.Root
        aria-label="Show"
        value={source}
        onValueChange={setSource}
        className="grid grid-cols-2 rounded border bg-sunken p-0.5"
      >
        <Source value="now">As it is now</Source>
        <Source value="recorded">As an instance saw it</Source>
      </RadioGroup.Root>
      {source === 'now' ? (
        <DrawnSurface card={card} />
      ) : (
        <QueryProvider>
          <RecordedSurface agent={card.name} opened={opened} />
        </QueryProvider>
      )}
    </>
  );
}

function Source({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <RadioGroup.Item
      value={value}
      className="h-7 cursor-pointer rounded-sm px-2 text-muted text-xs hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:font-medium data-[state=checked]:text-ink data-[state=checked]:shadow-card"
    >
      {children}
    </RadioGroup.Item>
  );
}

/** The surface of the card as it is drawn now. */
function DrawnSurface({ card }: { readonly card: AgentCard }) {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const known = useServers((state) => state.known);
  const surface = useMemo(() => {
    const listings = Object.entries(known).map(([name, { listing }]) => [name, listing] as const);
    return previewSurface(parsed, folder, card, Object.fromEntries(listings));
  }, [parsed, folder, card, known]);
  // The day is part of the instruction. It is that of when the tab was shown.
  const [now] = useState(() => Date.now());
  const instruction = useMemo(
    () => previewInstruction(card, folder, { now: brandAs<EpochMs>(now) }),
    [card, folder, now],
  );
  return (
    <SurfaceView
      {...{ surface, instruction }}
      testServer={(name) => <ServerTestPanel server={name} compact named />}
      name={card.name}
    />
  );
}

/** Says why an agent of this type has no tools here. */
function noTools(type: CardType): string {
  switch (type) {
    case 'a2a':
      return 'A remote agent has its tools where it runs.';
    case 'router':
    case 'orchestrator':
    case 'iterative_planner':
      return 'It asks its model for a choice or a plan, and calls its members itself. Its model is offered no tools.';
    default:
      return 'It calls its members itself. They have tools of their own.';
  }
}
