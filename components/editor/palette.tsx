'use client';

import { Bot, type LucideIcon, Plug } from 'lucide-react';
import { paletteType } from '@/components/editor-state/palette-type';
import { useCommands } from '@/components/editor-state/use-commands';
import { kindLook } from '@/components/marks/kind-icon';
import { workflowKinds } from '@/lib/editor/agent-kinds';

/** Lists what can be added, by dragging it onto the canvas or by a click. */
export function Palette() {
  const commands = useCommands();
  return (
    <section aria-label="Palette" className="grid shrink-0 grid-cols-[1.15fr_1fr] gap-1.5 border-t p-2">
      <Item
        what="agent"
        label="Agent"
        an="an agent"
        Icon={Bot}
        tone="text-agent"
        onAdd={() => commands.addAgent(undefined)}
      />
      <Item
        what="server"
        label="Server"
        an="a server"
        Icon={Plug}
        tone="text-server"
        onAdd={() => commands.addServer()}
      />
      <h3 className="col-span-2 px-0.5 pt-0.5 text-2xs font-medium text-faint">Workflows</h3>
      {workflowKinds.map(({ type, label, hint }) => (
        <Item
          key={type}
          what={type}
          label={label}
          an={`this workflow: ${hint}`}
          Icon={kindLook({ kind: 'agent', type }).Icon}
          tone="text-agent"
          onAdd={() => commands.addAgent(undefined, type)}
        />
      ))}
    </section>
  );
}

function Item(props: {
  /** What the drop on the canvas reads. */
  readonly what: string;
  readonly label: string;
  readonly an: string;
  readonly Icon: LucideIcon;
  readonly tone: string;
  readonly onAdd: () => void;
}) {
  const { what, label, an, Icon, tone, onAdd } = props;
  return (
    <button
      type="button"
      draggable
      title={`Drag onto the canvas, or click to add ${an}`}
      className="flex h-7 min-w-0 cursor-grab items-center gap-1.5 rounded border bg-surface px-1.5 text-xs font-medium text-ink shadow-card hover:border-line-strong"
      onDragStart={(event) => event.dataTransfer.setData(paletteType, what)}
      onClick={onAdd}
    >
      <Icon size={13} aria-hidden className={`shrink-0 ${tone}`} />
      <span className="truncate">{label}</span>
    </button>
  );
}
