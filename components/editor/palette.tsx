'use client';

import { Bot, Braces, type LucideIcon, Plug, StickyNote, Webhook } from 'lucide-react';
import { paletteType } from '@/components/editor-state/palette-type';
import { useActions } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { kindLook } from '@/components/marks/kind-icon';
import { workflowKinds } from '@/lib/editor/agent-kinds';

/** Lists what can be added, by dragging it onto the canvas or by a click. */
export function Palette() {
  const commands = useCommands();
  const actions = useActions();
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
      <Item
        what="function"
        label="Function"
        an="a function tool to the selected agent"
        Icon={Braces}
        tone="text-function"
        onAdd={() => actions.show({ picking: 'function', narrowPanel: 'canvas' })}
      />
      <Item
        what="hook"
        label="Hook"
        an="a hook to the selected agent"
        Icon={Webhook}
        tone="text-hook"
        onAdd={() => actions.show({ picking: 'hook', narrowPanel: 'canvas' })}
      />
      <Item
        what="note"
        label="Note"
        an="a note for readers"
        Icon={StickyNote}
        tone="text-warn"
        onAdd={() => commands.addNote()}
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
