'use client';

import { ChevronRight } from 'lucide-react';
import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRun } from '@/components/editor-state/run-context';
import { useServerActions } from '@/components/editor-state/servers-context';
import { useCopy, usePaste } from '@/components/editor-state/use-clipboard';
import { useCommands } from '@/components/editor-state/use-commands';
import { useLeaveOut } from '@/components/editor-state/use-leave-out';
import { Keys } from '@/components/ui/kbd';
import { toolPlaceOf } from '@/lib/editor/tool-place';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { placeAmong, roleInstead } from '@/lib/graph/roles';
import type { CanvasMenuProps, MenuTarget } from './menu-target';
import { arrangements } from './selection-tools';

/** What can be done with the thing under the pointer. */
export function CanvasMenuItems(props: CanvasMenuProps) {
  const commands = useCommands();
  const actions = useActions();
  const paste = usePaste();
  const { target, openPicker, onRemove } = props;
  const selection = useProject((state) => state.selection);
  const removeEdge = (id: string) => {
    actions.selectEdge(id);
    onRemove();
  };
  const removeNode = (id: NodeId) => {
    if (!selection.includes(id)) actions.select([id]);
    onRemove();
  };
  const node = useProject((state) => (target.kind === 'node' ? state.picture.nodes.get(target.id) : undefined));
  const mayEdit = useProject((state) => state.mayEdit);
  if (!mayEdit) return <ReadingItems target={target} node={node} />;
  switch (target.kind) {
    case 'pane':
      return (
        <>
          <Item label="Add…" keys="N" onSelect={() => afterMenu(() => openPicker({ screen: target.screen }))} />
          <Item label="Paste" keys="Mod+V" onSelect={() => void paste()} />
          <Item label="Tidy" keys="Shift+L" onSelect={props.onTidy} />
          <Item label="Undo" keys="Mod+Z" onSelect={actions.undo} />
          <Item label="Redo" keys="Mod+Shift+Z" onSelect={actions.redo} />
        </>
      );
    case 'edge':
      return <EdgeItems id={target.id} onRemove={() => removeEdge(target.id)} />;
    case 'node': {
      if (isAnnotation(target.id)) return <AnnotationItems id={target.id} onRemove={() => removeNode(target.id)} />;
      const isAgent = node?.kind === 'agent' && !node.missing;
      return (
        <>
          <Item label="Open" keys="Enter" onSelect={() => commands.open(target.id)} />
          <LastRunItem onSelect={() => actions.select([target.id])} />
          {isAgent ? (
            <>
              <Item label="Rename" keys="F2" onSelect={() => actions.show({ renaming: target.id })} />
              {node.type === 'a2a' ? null : (
                <Item
                  label={node.type === 'agent' ? 'Add child agent' : 'Add member'}
                  onSelect={() => commands.addChild(target.id)}
                />
              )}
              <CopyItem id={target.id} />
              <Item label="Duplicate" keys="Mod+D" onSelect={() => commands.duplicate(target.id)} />
              <Item label="Run this agent" onSelect={() => commands.runAgent(target.id)} />
            </>
          ) : null}
          <LeaveOutItem id={target.id} />
          <TryItem node={node} />
          {node?.kind === 'server' ? <ServerItems name={node.name} missing={node.missing} /> : null}
          {node?.kind === 'agent' && node.missing ? (
            <Item label={`Create ${node.name}`} onSelect={() => commands.createMissing(node.name)} />
          ) : null}
          {isAgent && node.type !== 'a2a' ? (
            <Item label="Connect to…" keys="C" onSelect={() => afterMenu(() => openPicker({ source: target.id }))} />
          ) : null}
          <ArrangeItems id={target.id} />
          <Item label="Delete" keys="Delete" danger onSelect={() => removeNode(target.id)} />
        </>
      );
    }
  }
}

/** What people do with a thing who may only read the project. */
function ReadingItems({ target, node }: { readonly target: MenuTarget; readonly node: GraphNode | undefined }) {
  const commands = useCommands();
  const actions = useActions();
  const mayRun = useAccess().rights.includes('run');
  const isConfigured = useProject(
    (state) => node?.kind === 'server' && Object.hasOwn(state.picture.drawn.config.servers, node.name),
  );
  const isCopied = isConfigured || (node?.kind === 'agent' && !node.missing);
  switch (target.kind) {
    case 'pane':
      return <Item label="Select nothing" keys="Escape" onSelect={() => actions.select([])} />;
    case 'edge':
      return (
        <>
          <Item label="Show options" onSelect={() => actions.selectEdge(target.id)} />
          <LastRunItem onSelect={() => actions.selectEdge(target.id)} />
        </>
      );
    case 'node':
      return (
        <>
          <Item label="Open" keys="Enter" onSelect={() => commands.open(target.id)} />
          {node === undefined ? null : <LastRunItem onSelect={() => actions.select([target.id])} />}
          {isCopied ? <CopyItem id={target.id} /> : null}
          {mayRun && node?.kind === 'agent' && !node.missing ? (
            <Item label="Run this agent" onSelect={() => commands.runAgent(target.id)} />
          ) : null}
          {mayRun ? <LeaveOutItem id={target.id} /> : null}
        </>
      );
  }
}

/** Copies a node, or all that are selected with it. */
function CopyItem({ id }: { readonly id: NodeId }) {
  const copy = useCopy();
  const actions = useActions();
  const selection = useProject((state) => state.selection);
  const select = () => {
    if (!selection.includes(id)) actions.select([id]);
    void copy();
  };
  return <Item label="Copy" keys="Mod+C" onSelect={select} />;
}

/** Leaves a thing out of the next run, or all that are selected with it, or takes them back. */
function LeaveOutItem({ id }: { readonly id: NodeId }) {
  const selection = useProject((state) => state.selection);
  const offer = useLeaveOut(selection.includes(id) ? selection : [id]);
  return offer && <Item label={offer.label} onSelect={offer.toggle} />;
}

/** Opens the tool bench for a server or a function, or for the tools of an agent. */
function TryItem({ node }: { readonly node: GraphNode | undefined }) {
  const commands = useCommands();
  const place = node && toolPlaceOf(node);
  if (place === undefined) return null;
  return (
    <Item
      label={place.kind === 'function' ? 'Try…' : 'Try a tool…'}
      onSelect={() => afterMenu(() => commands.openToolBench(place))}
    />
  );
}

/** Shows the calls of a thing, once there is a run. */
function LastRunItem({ onSelect }: { readonly onSelect: () => void }) {
  const actions = useActions();
  const hasRun = useRun((state) => state.runId !== undefined);
  if (!hasRun) return null;
  const show = () => {
    onSelect();
    actions.show({ inspectorTab: 'run', narrowPanel: 'inspector' });
  };
  return <Item label="Calls in the last run" onSelect={show} />;
}

function ServerItems({ name, missing }: { readonly name: string; readonly missing: boolean }) {
  const commands = useCommands();
  const servers = useServerActions();
  const isConfigured = useProject((state) => Object.hasOwn(state.picture.drawn.config.servers, name));
  const test = () => {
    commands.open(`server:${name}`);
    void servers.test(name);
  };
  return (
    <>
      <Item label="Rename" keys="F2" onSelect={() => commands.startRename(`server:${name}`)} />
      {missing ? (
        <Item label={`Configure ${name}`} onSelect={() => commands.configureServer(name)} />
      ) : (
        <Item label="Test" onSelect={test} />
      )}
      {isConfigured ? <CopyItem id={`server:${name}`} /> : null}
      {isConfigured ? <Item label="Duplicate" keys="Mod+D" onSelect={() => commands.duplicateServer(name)} /> : null}
    </>
  );
}

/** Opens something else when the menu is closed and has given its focus back. */
function afterMenu(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function AnnotationItems({ id, onRemove }: { readonly id: NodeId; readonly onRemove: () => void }) {
  const commands = useCommands();
  const isGroup = id.startsWith('group:');
  return (
    <>
      <Item label={isGroup ? 'Rename' : 'Write'} keys="F2" onSelect={() => afterMenu(() => commands.startRename(id))} />
      {isGroup ? <Item label="Ungroup" onSelect={() => commands.ungroup(id.slice('group:'.length))} /> : null}
      <ArrangeItems id={id} />
      <Item label={isGroup ? 'Delete the frame' : 'Delete'} keys="Delete" danger onSelect={onRemove} />
    </>
  );
}

/** Aligns and groups the selection that a node belongs to. */
function ArrangeItems({ id }: { readonly id: NodeId }) {
  const commands = useCommands();
  const selection = useProject((state) => state.selection);
  const { groups } = useProject((state) => state.picture.drawn.settings.canvas);
  const ids = selection.includes(id) ? selection : [id];
  const grouped = groups.some(({ members }) => members.includes(id));
  const others = groups.filter(({ members, id: group }) => !members.includes(id) && `group:${group}` !== id);
  if (id.startsWith('group:')) return null;
  return (
    <>
      {ids.length > 1 ? (
        <Submenu label="Align">
          {arrangements.map(({ how, label }) => (
            <Item key={how} label={label} onSelect={() => commands.arrange(how)} />
          ))}
        </Submenu>
      ) : null}
      <Item
        label={ids.length > 1 ? `Group ${ids.length}` : 'Group'}
        keys="Mod+G"
        onSelect={() => commands.group(ids)}
      />
      {others.length > 0 ? (
        <Submenu label="Move to group">
          {others.map(({ id: group, title }) => (
            <Item key={group} label={title} onSelect={() => commands.moveToGroup(ids, group)} />
          ))}
        </Submenu>
      ) : null}
      {grouped ? <Item label="Leave the group" onSelect={() => commands.moveToGroup(ids, undefined)} /> : null}
    </>
  );
}

/** What can be done with a wire. */
function EdgeItems({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const actions = useActions();
  return (
    <>
      <Item label="Edit options" onSelect={() => actions.selectEdge(id)} />
      <LastRunItem onSelect={() => actions.selectEdge(id)} />
      <MemberItems id={id} />
      <Item label="Remove edge" keys="Delete" danger onSelect={onRemove} />
    </>
  );
}

/** Moves a member of a workflow, or gives it the other role. */
function MemberItems({ id }: { readonly id: string }) {
  const commands = useCommands();
  const graph = useProject((state) => state.picture.graph);
  const edge = graph.edges.find((one) => one.id === id);
  const at = edge && placeAmong(graph, edge);
  if (edge === undefined) return null;
  const role = roleInstead(edge);
  return (
    <>
      {at !== undefined && at.place > 1 ? (
        <Item label="Move earlier" onSelect={() => commands.moveMember(id, 'earlier')} />
      ) : null}
      {at !== undefined && at.place < at.of ? (
        <Item label="Move later" onSelect={() => commands.moveMember(id, 'later')} />
      ) : null}
      {role === undefined ? null : <Item label={roleActions[role]} onSelect={() => commands.changeRole(id)} />}
    </>
  );
}

const roleActions = {
  fan_in: 'Make it the fan-in',
  fan_out: 'Make it a branch',
  generator: 'Swap generator and evaluator',
  evaluator: 'Swap generator and evaluator',
} as const;

function Submenu(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ContextMenu.Sub>
      <ContextMenu.SubTrigger className="flex w-full cursor-pointer items-center gap-6 rounded px-2 py-1 text-ink text-sm outline-none select-none data-[highlighted]:bg-hover data-[state=open]:bg-hover">
        <span className="flex-1">{props.label}</span>
        <ChevronRight aria-hidden className="size-3.5 text-faint" />
      </ContextMenu.SubTrigger>
      <ContextMenu.Portal>
        <ContextMenu.SubContent
          collisionPadding={8}
          sideOffset={4}
          className="z-50 min-w-40 rounded-lg border bg-raised p-1 shadow-pop"
        >
          {props.children}
        </ContextMenu.SubContent>
      </ContextMenu.Portal>
    </ContextMenu.Sub>
  );
}

function Item(props: {
  readonly label: string;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}) {
  return (
    <ContextMenu.Item
      onSelect={props.onSelect}
      className={`flex w-full cursor-pointer items-center gap-6 rounded px-2 py-1 text-sm outline-none select-none data-[highlighted]:bg-hover ${
        props.danger ? 'text-bad' : 'text-ink'
      }`}
    >
      <span className="flex-1">{props.label}</span>
      {props.keys === undefined ? null : <Keys keys={props.keys} />}
    </ContextMenu.Item>
  );
}
