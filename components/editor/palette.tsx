'use client';

import { Bot, Braces, type LucideIcon, Plug, StickyNote, Webhook } from 'lucide-react';
import { paletteType } from '@/components/editor-state/palette-type';
import { useCommands } from '@/components/editor-state/use-commands';
import { kindLook } from '@/components/marks/kind-icon';
import { type Added, type AddRow, addRows } from '@/lib/editor/add-rows';

/** Lists what can be added, by dragging it onto the canvas or by a click. */
export function Palette() {
  const commands = useCommands();
  const items = (group: AddRow['group']) =>
    addRows
      .filter((row) => row.group === group)
      .map((row) => <Item key={row.what} row={row} onAdd={() => commands.add(row.what, nowhere)} />);
  return (
    <section aria-label="Palette" className="grid shrink-0 grid-cols-[1.15fr_1fr] gap-1.5 border-t p-2">
      {items('New')}
      <h3 className="col-span-2 px-0.5 pt-0.5 text-2xs font-medium text-faint">Workflows</h3>
      {items('Workflows')}
    </section>
  );
}

const nowhere = { at: undefined, source: undefined, user: undefined } as const;

function Item({ row: { what, label, hint }, onAdd }: { readonly row: AddRow; readonly onAdd: () => void }) {
  const { Icon, tone } = looks(what);
  return (
    <button
      type="button"
      draggable
      title={`${label}: ${hint}. Drag onto the canvas, or click to add.`}
      className="flex h-7 min-w-0 cursor-grab items-center gap-1.5 rounded border bg-surface px-1.5 text-xs font-medium text-ink shadow-card hover:border-line-strong"
      onDragStart={(event) => event.dataTransfer.setData(paletteType, what)}
      onClick={onAdd}
    >
      <Icon size={13} aria-hidden className={`shrink-0 ${tone}`} />
      <span className="truncate">{label}</span>
    </button>
  );
}

function looks(what: Added): { readonly Icon: LucideIcon; readonly tone: string } {
  switch (what) {
    case 'agent':
      return { Icon: Bot, tone: 'text-agent' };
    case 'server':
      return { Icon: Plug, tone: 'text-server' };
    case 'function':
      return { Icon: Braces, tone: 'text-function' };
    case 'hook':
      return { Icon: Webhook, tone: 'text-hook' };
    case 'note':
      return { Icon: StickyNote, tone: 'text-warn' };
    default:
      return { Icon: kindLook({ kind: 'agent', type: what }).Icon, tone: 'text-agent' };
  }
}
