'use client';

import { ChevronDown, ChevronRight, CornerDownRight } from 'lucide-react';
import { memo, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useActions, useProject, useProjectAs } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { ActivityMark } from '@/components/marks/activity-mark';
import { KindIcon } from '@/components/marks/kind-icon';
import { ProblemMark } from '@/components/marks/problem-mark';
import { VisibleText } from '@/components/ui/visible-text';
import { type OutlineRow, outlineRows, rowsTo, sameOutline } from '@/lib/editor/outline';
import { type OutlineKey, outlineKey } from '@/lib/editor/outline-key';
import { drawnRows } from '@/lib/editor/rows-in-view';
import { useRowsInView } from './use-rows-in-view';
import { useShownRow } from './use-shown-row';

/**
 * Shows the same document as the canvas, as a tree. Every edit can be made by keyboard (arrows, Home, End, Enter, F2, N,
 * Delete).
 */
export function OutlineTree() {
  const mayEdit = useProject((state) => state.mayEdit);
  const actions = useActions();
  const commands = useCommands();
  const tree = useRef<HTMLDivElement>(null);
  const { rows, current, isSelected, toggle, setFocusKey } = useTreeRows(tree);
  const inView = useRowsInView(tree, rows.length);

  function focus(row: OutlineRow | undefined) {
    if (row === undefined) return;
    // The row may be out of view. It is in the page once it is the one in the tab order.
    flushSync(() => {
      setFocusKey(row.key);
      selectRow(actions, row);
    });
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus();
  }

  function onKeyDown(event: React.KeyboardEvent) {
    if (current === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const key = outlineKey(event.key, rows, current);
    if (key === undefined || (!mayEdit && changing.has(key.do))) return;
    event.preventDefault();
    act(key, current);
  }

  function act(key: OutlineKey, row: OutlineRow) {
    switch (key.do) {
      case 'focus':
        return focus(key.row);
      case 'toggle':
        return toggle(row, key.open);
      case 'open':
        return commands.open(row.id);
      case 'select':
        return goToRow(actions, row);
      case 'rename':
        return commands.startRename(row.id);
      case 'remove':
        return row.mayCall === undefined ? commands.remove([row.id]) : commands.removeEdge(row.mayCall);
      case 'add':
        // What is added is selected, and the focus follows the selection.
        setFocusKey(undefined);
        return actions.show({ picking: { what: 'all' }, narrowPanel: 'canvas' });
    }
  }

  if (rows.length === 0) return <NoAgents mayEdit={mayEdit} />;
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Outline"
      aria-multiselectable
      className="relative my-1"
      style={{ height: rem(rows.length) }}
      onKeyDown={onKeyDown}
    >
      {drawnRows(rows, inView, current).map(({ row, place }) => (
        <Row
          key={row.key}
          row={row}
          place={place}
          selected={isSelected(row)}
          tabbable={row === current}
          onFocusRow={setFocusKey}
          onToggle={toggle}
        />
      ))}
    </div>
  );
}

/** Returns the rows of the tree, the one in the tab order, and what changes them. */
function useTreeRows(tree: RefObject<HTMLElement | null>) {
  const graph = useProjectAs((state) => state.picture.graph, sameOutline);
  const selection = useProject((state) => state.selection);
  const selectedEdge = useProject((state) => state.selectedEdge);
  const { closed, toggle, open } = useClosed();
  const [focusKey, setFocusKey] = useState<string>();
  const isSelected = ({ id, mayCall }: OutlineRow) =>
    mayCall === undefined ? selection.includes(id) : mayCall === selectedEdge;
  const rows = useMemo(() => outlineRows(graph, closed), [graph, closed]);
  const current = rows.find((row) => row.key === focusKey) ?? rows.find(isSelected) ?? rows[0];
  useShownRow(tree, current, (id) => {
    const way = rowsTo(graph, id);
    open(way);
    setFocusKey(way.at(-1));
  });
  return { rows, current, isSelected, toggle, setFocusKey };
}

function NoAgents({ mayEdit }: { readonly mayEdit: boolean }) {
  return <p className="px-3 py-2 text-xs text-muted">No agents yet.{mayEdit && ' Press N to add one.'}</p>;
}

/** What people do not do who may only read the project. */
const changing: ReadonlySet<string> = new Set<OutlineKey['do']>(['rename', 'remove', 'add']);

/** Keeps which rows are closed, by their keys. */
function useClosed() {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((row: OutlineRow, open: boolean) => {
    setClosed((closed) => {
      const next = new Set(closed);
      if (open) next.delete(row.key);
      else next.add(row.key);
      return next;
    });
  }, []);
  const open = useCallback(
    (keys: readonly string[]) => setClosed((closed) => new Set([...closed].filter((key) => !keys.includes(key)))),
    [],
  );
  return { closed, toggle, open };
}

/** Returns the height of some rows. One has the height of the class `h-7`. */
function rem(rows: number): string {
  return `${rows * 1.75}rem`;
}

/** Selects the node of a row, or the wire that the row stands for. */
function selectRow(actions: ReturnType<typeof useActions>, row: OutlineRow) {
  if (row.mayCall === undefined) actions.select([row.id]);
  else actions.selectEdge(row.mayCall);
}

/** Does the same, and shows where the node is on the canvas. */
function goToRow(actions: ReturnType<typeof useActions>, row: OutlineRow) {
  if (row.mayCall === undefined) actions.goToNode(row.id);
  else selectRow(actions, row);
}

/** Rows deeper than this are not indented further, so that names keep their room. They show the number of their level. */
const deepestIndent = 6;

/** Renders again only when its own row has changed. */
const Row = memo(TreeRow, (before, after) => {
  return (
    before.place === after.place &&
    before.selected === after.selected &&
    before.tabbable === after.tabbable &&
    sameRow(before.row, after.row)
  );
});

function sameRow(a: OutlineRow, b: OutlineRow): boolean {
  return (
    a.key === b.key &&
    a.label === b.label &&
    a.open === b.open &&
    a.hasChildren === b.hasChildren &&
    a.repeated === b.repeated &&
    a.mayCall === b.mayCall &&
    a.position === b.position &&
    a.size === b.size
  );
}

function TreeRow(props: {
  readonly row: OutlineRow;
  /** How many rows are above it. */
  readonly place: number;
  readonly selected: boolean;
  readonly tabbable: boolean;
  readonly onFocusRow: (key: string) => void;
  readonly onToggle: (row: OutlineRow, open: boolean) => void;
}) {
  const actions = useActions();
  const commands = useCommands();
  const { row } = props;
  const node = useProject((state) => state.picture.nodes.get(row.id));
  const issues = useProject((state) => state.picture.problems.get(row.id));
  const hooksOff = useProject((state) => (state.picture.graph.chains[row.id] ?? []).filter(({ off }) => off).length);
  const Chevron = row.repeated ? CornerDownRight : row.open ? ChevronDown : ChevronRight;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its rows
    <div
      role="treeitem"
      data-key={row.key}
      tabIndex={props.tabbable ? 0 : -1}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={props.selected}
      aria-expanded={row.hasChildren && !row.repeated ? row.open : undefined}
      className={`absolute inset-x-0 flex h-7 cursor-default items-center gap-1.5 pr-2 text-sm outline-offset-[-2px] select-none ${
        props.selected ? 'bg-accent-soft text-ink' : 'hover:bg-hover'
      }`}
      style={{ top: rem(props.place), paddingLeft: 6 + Math.min(row.depth, deepestIndent) * 14 }}
      onClick={() => {
        props.onFocusRow(row.key);
        goToRow(actions, row);
      }}
      onDoubleClick={() => commands.open(row.id)}
    >
      {row.hasChildren ? (
        <span
          aria-hidden
          className="flex size-4 items-center justify-center text-faint"
          onClick={(event) => {
            event.stopPropagation();
            if (!row.repeated) props.onToggle(row, !row.open);
          }}
        >
          <Chevron size={13} />
        </span>
      ) : (
        <span aria-hidden className="size-4" />
      )}
      {row.depth > deepestIndent ? (
        <span aria-hidden title={`Level ${row.depth + 1}`} className="text-2xs text-faint tabular-nums">
          {row.depth + 1}
        </span>
      ) : null}
      {node === undefined ? null : <KindIcon node={node} size={16} />}
      <span className="min-w-0 flex-1 truncate" title={row.label}>
        <VisibleText text={row.label} />
        {row.mayCall === undefined ? null : <span className="text-muted"> · may call</span>}
        {hooksOff === 0 ? null : (
          <span className="text-muted"> · {hooksOff === 1 ? '1 hook off' : `${hooksOff} hooks off`}</span>
        )}
        {node?.kind !== 'builtin' && node?.missing ? <span className="text-bad"> · missing</span> : null}
      </span>
      {node?.kind === 'agent' ? <ActivityMark agent={node.name} /> : null}
      <ProblemMark issues={issues} />
    </div>
  );
}
