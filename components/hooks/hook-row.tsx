'use client';

import { ContextMenu } from 'radix-ui';
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { later, useEver } from '@/components/ui/later';
import { type BeadRow, beadGap, beadWidth } from '@/lib/graph/bead-row';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { HookBead } from './hook-bead';
import { AddButton, DropMark, HookList, RestBead } from './row-parts';
import type { HookDrag } from './use-hook-drag';
import { type AgentNode, type RowEditing, useRowEditing } from './use-row-editing';

const AddHook = later(async () => (await import('./add-hook')).AddHook, null);
const HookMenuItems = later(async () => (await import('./hook-menu')).HookMenuItems, null);
/** What a row of beads opens. */
export const rowParts = [AddHook, HookMenuItems, HookList];

/** The beads of an agent on its wire. They are dragged, moved by keys, removed and added here. */
export function HookRow(props: {
  readonly node: AgentNode;
  readonly row: BeadRow;
  readonly selected: boolean;
  /** The distance of the row from the agent, where the sign of a workflow is. */
  readonly offset: number;
}) {
  const { node, row, selected, offset } = props;
  const list = useRef<HTMLOListElement>(null);
  const editing = useRowEditing(node, list);
  const { drag, adding, setAdding } = editing;
  const [hovered, setHovered] = useState(false);
  const mayEdit = useProject((state) => state.mayEdit);
  const adds = mayEdit && (selected || hovered || adding !== undefined) && drag === undefined;
  const wasAdding = useEver(adding !== undefined);
  const gaps = gapsOf(row, drag);
  const mark = (gap: number) => (gaps[gap] ? <DropMark reason={drag?.reason} /> : null);
  return (
    <>
      <RowMenu node={node} row={row} editing={editing}>
        <ol
          ref={list}
          aria-label={`Hooks of ${node.name}, outermost first`}
          className="nodrag nopan absolute top-1/2 flex h-8 -translate-y-1/2 cursor-default items-center"
          style={{ left: `calc(100% + ${offset}px)`, width: row.width === 0 ? undefined : row.width }}
          onPointerEnter={() => setHovered(true)}
          onPointerLeave={() => setHovered(false)}
          onContextMenu={stop}
          onDoubleClick={stop}
        >
          {row.width > 0 ? <span aria-hidden className="absolute top-1/2 right-0 left-0 h-px bg-line-strong" /> : null}
          {row.shown.map((entry, index) => (
            <RowItem key={entry.id} {...{ node, row, entry, index, selected, editing, adds }} mark={mark(index)} />
          ))}
          {row.hidden > 0 ? (
            <li className="flex items-center">
              <span className="relative h-8 shrink-0" style={{ width: beadGap }}>
                {mark(row.shown.length)}
              </span>
              <RestBead
                agent={node.name}
                count={row.hidden}
                file={node.file}
                selected={selected}
                alone={row.shown.length === 0}
              />
            </li>
          ) : null}
          <li className={row.width === 0 ? '-top-5 absolute left-1' : 'relative h-8 w-4 shrink-0'}>
            {row.hidden === 0 ? mark(row.shown.length) : null}
            {adds ? (
              <AddButton
                label="Add hook"
                focusable={selected}
                {...(row.width === 0 ? { text: 'hook' } : {})}
                onAdd={(anchor) => setAdding({ at: undefined, anchor })}
              />
            ) : null}
          </li>
        </ol>
      </RowMenu>
      {wasAdding && (
        <AddHook
          file={node.file}
          agent={node.name}
          hasPhases={node.type === 'agent'}
          adding={adding}
          onClose={() => setAdding(undefined)}
          onAdded={editing.follow}
        />
      )}
    </>
  );
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

/** One bead, with the gap before it in which a hook can be added or dropped. */
function RowItem(props: {
  readonly node: AgentNode;
  readonly row: BeadRow;
  readonly entry: ChainEntry;
  readonly index: number;
  readonly selected: boolean;
  readonly editing: RowEditing;
  /** True if the buttons that add a hook are shown. */
  readonly adds: boolean;
  readonly mark: ReactNode;
}) {
  const { node, row, entry, index, selected, editing, adds, mark } = props;
  const { shown } = row;
  const isAround = entry.phase === 'around';
  const tabStop = shown.some(({ id }) => id === editing.current) ? editing.current : shown[0]?.id;
  return (
    <li data-hook={isAround ? entry.id : undefined} className="flex items-center">
      <span className="relative h-8 shrink-0" style={{ width: beadGap }}>
        {mark}
        {adds && isAround ? (
          <AddButton
            label={`Add a hook before ${entry.name}`}
            onAdd={(anchor) => editing.setAdding({ at: index, anchor })}
          />
        ) : null}
      </span>
      <HookBead
        agent={node.name}
        entry={entry}
        width={row.named ? beadWidth(entry) : undefined}
        runHooks={shown.filter(({ origin, off }) => origin === 'run' && !off).length}
        dragged={editing.drag?.id === entry.id}
        tabIndex={selected && entry.id === tabStop ? 0 : -1}
        onFocus={() => editing.setCurrent(entry.id)}
        onPointerDown={(event) => {
          if (isAround) editing.begin(event, entry.id);
        }}
        onMenu={() => editing.setMenuOf(entry)}
        onKeyDown={(event) => editing.onKey(event, entry)}
        onShow={() => editing.show(entry)}
        onOpen={() => editing.open(entry)}
      />
    </li>
  );
}

/** The menu of the right mouse button, or of `Shift+F10`, for the bead under it. */
function RowMenu(props: {
  readonly node: AgentNode;
  readonly row: BeadRow;
  readonly editing: RowEditing;
  readonly children: ReactNode;
}) {
  const { node, row, editing, children } = props;
  const target = editing.menuOf ?? row.shown[0];
  const around = useProject((state) => state.picture.graph.chains[node.id] ?? noEntries).filter(
    ({ phase }) => phase === 'around',
  ).length;
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild disabled={row.shown.length === 0}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          collisionPadding={8}
          className="z-50 min-w-52 rounded-lg border bg-raised p-1 shadow-pop"
          onContextMenu={stop}
          onClick={stop}
          onDoubleClick={stop}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) editing.focus(target?.id);
          }}
        >
          {target === undefined ? null : (
            <HookMenuItems
              kind="context"
              file={node.file}
              agent={node.name}
              entry={target}
              around={around}
              onDone={editing.follow}
              onAdd={() => editing.addAfter(target)}
            />
          )}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

const noEntries: readonly ChainEntry[] = [];

/** Returns for each gap whether the dragged hook would be dropped there. */
function gapsOf(row: BeadRow, drag: HookDrag | undefined): readonly boolean[] {
  if (drag === undefined) return [];
  const from = row.shown.findIndex(({ id }) => id === drag.id);
  const gap = drag.to > from ? drag.to + 1 : drag.to;
  return [...row.shown, undefined].map((_, index) => index === gap && drag.to !== from);
}
