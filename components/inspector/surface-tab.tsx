'use client';

import { Wrench } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { EmptyState } from '@/components/ui/empty-state';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { AgentCard, CardType } from '@/lib/cards/card';
import { previewInstruction } from '@/lib/runtime/instruction/instruction-preview';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
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
      <DrawnSurface card={card} />
    </section>
  );
}

/** The surface of the card as it is drawn now. */
function DrawnSurface({ card }: { readonly card: AgentCard }) {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const surface = useMemo(() => previewSurface(parsed, folder, card), [parsed, folder, card]);
  // The day is part of the instruction. It is that of when the tab was shown.
  const [now] = useState(() => Date.now());
  const instruction = useMemo(
    () => previewInstruction(card, folder, { now: brandAs<EpochMs>(now) }),
    [card, folder, now],
  );
  return <SurfaceView name={card.name} surface={surface} instruction={instruction} />;
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
