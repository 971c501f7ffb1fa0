'use client';

import { Command } from 'cmdk';
import { Dialog as Primitive } from 'radix-ui';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRunActions } from '@/components/editor-state/run-context';
import { useTrustActions } from '@/components/editor-state/trust-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { KindIcon } from '@/components/marks/kind-icon';
import { Keys } from '@/components/ui/kbd';
import { workflowKinds } from '@/lib/editor/agent-kinds';

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onShowKeys: () => void;
}

const row =
  'flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-sm text-ink data-[selected=true]:bg-hover data-[disabled=true]:opacity-50';

/** Lists every action by name, and every agent, server and file to go to. */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <Primitive.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/30" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-raised shadow-pop outline-none"
        >
          <Primitive.Title className="sr-only">Command palette</Primitive.Title>
          <PaletteBody {...props} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function PaletteBody(props: CommandPaletteProps) {
  const nodes = useProject((state) => state.picture.graph.nodes);
  const paths = useProject((state) => state.document.folder);
  const selection = useProject((state) => state.selection);
  const actions = useActions();
  const commands = useCommands();
  const run = useRunActions();
  const trust = useTrustActions();
  const then = (act: () => void) => () => {
    props.onOpenChange(false);
    act();
  };
  const only = selection.length === 1 ? selection[0] : undefined;
  const acts: readonly (readonly [label: string, keys: string, act: () => void])[] = [
    ['Run', 'Mod+Enter', () => void run.start()],
    ['Stop the run', 'Mod+.', () => void run.stop()],
    ['Save', 'Mod+S', () => void actions.save()],
    ['Undo', 'Mod+Z', actions.undo],
    ['Redo', 'Mod+Shift+Z', actions.redo],
    ['Add agent', 'N', () => commands.addAgent(undefined)],
    ['Add MCP server', '', () => commands.addServer()],
    ...workflowKinds.map(({ type, label }) => [`Add ${label}`, '', () => commands.addAgent(undefined, type)] as const),
    ['Lay out', 'Shift+L', commands.layOut],
    ...(only === undefined
      ? []
      : ([
          ['Rename selection', 'F2', () => commands.startRename(only)],
          ['Delete selection', 'Delete', () => commands.remove([only])],
        ] as const)),
    ['Show problems', '', () => actions.show({ dockTab: 'problems', narrowPanel: 'dock' })],
    ['Show files', '', () => actions.show({ dockTab: 'files', narrowPanel: 'dock' })],
    ['Show what this folder starts or calls', '', () => void trust.review()],
    ['All keys', '?', props.onShowKeys],
  ];
  return (
    <Command label="Command palette" loop>
      <Command.Input
        autoFocus
        placeholder="Type a command, an agent or a file…"
        className="w-full border-b bg-transparent px-4 py-3 text-base text-ink outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-6 text-center text-sm text-muted">Nothing matches.</Command.Empty>
        <Command.Group heading="Actions" className={heading}>
          {acts.map(([label, keys, act]) => (
            <Command.Item key={label} value={`action ${label}`} onSelect={then(act)} className={row}>
              <span className="flex-1">{label}</span>
              {keys === '' ? null : <Keys keys={keys} />}
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Go to" className={heading}>
          {nodes.map((node) => (
            <Command.Item
              key={node.id}
              value={`go ${node.name} ${node.kind} ${node.id}`}
              onSelect={then(() => actions.select([node.id]))}
              className={row}
            >
              <KindIcon node={node} size={18} />
              <span className="min-w-0 flex-1 truncate">{node.name}</span>
              <span className="text-xs text-faint">{node.kind}</span>
            </Command.Item>
          ))}
          {[...paths.keys()].map((path) => (
            <Command.Item
              key={path}
              value={`file ${path}`}
              onSelect={then(() => actions.openFile(path))}
              className={row}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
              <span className="text-xs text-faint">file</span>
            </Command.Item>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  );
}

const heading =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint';
