import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { GraphNode } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import type { Adding } from './add-hook';
import { hookKey } from './hook-key';
import { reasonAgainst } from './reason-against';
import { useHookDrag } from './use-hook-drag';

export type AgentNode = Extract<GraphNode, { kind: 'agent' }>;
export type RowEditing = ReturnType<typeof useRowEditing>;

/** What can be done with the beads, and which of them has the focus. */
export function useRowEditing(node: AgentNode, list: RefObject<HTMLOListElement | null>) {
  const commands = useCommands();
  const readProject = useReadProject();
  const [adding, setAdding] = useState<Adding>();
  const [menuOf, setMenuOf] = useState<ChainEntry>();
  const focusNode = () => list.current?.closest<HTMLElement>('.react-flow__node')?.focus({ preventScroll: true });
  const { current, setCurrent, follow, buttonOf } = useFollow(list, focusNode);
  const move = (id: string, to: number) => follow(commands.moveHook(node.file, id, to) ?? id);
  const { drag, begin } = useHookDrag({
    list,
    axis: 'x',
    reasonAgainst: (id, to) => reasonAgainst(readProject().picture.drawn, node.file, id, to),
    onDrop: move,
  });
  const beginIfMay: typeof begin = (event, id) => {
    if (readProject().mayEdit) begin(event, id);
  };
  const addAfter = (entry: ChainEntry) => {
    const anchor = { current: buttonOf(entry.id) ?? null };
    setAdding({ at: entry.phase === 'around' ? entry.place : undefined, anchor });
  };

  const open = (entry: ChainEntry) => commands.openHook(node.file, entry.id);

  /** Removes a hook. Later hooks of its list move up, so the focus stays at this position. */
  const remove = (entry: ChainEntry, at: number) => {
    commands.removeHook(node.file, entry.id, () =>
      requestAnimationFrame(() => {
        const left = beadsIn(list.current);
        const next = left[at] ?? left.at(-1);
        if (next === undefined) focusNode();
        else next.focus({ preventScroll: true });
      }),
    );
  };

  function onKey(event: KeyboardEvent, entry: ChainEntry) {
    const key = hookKey(event, readProject().mayEdit);
    if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
    if (event.key === 'Enter') {
      event.preventDefault();
      open(entry);
    }
    if (key === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const beads = beadsIn(list.current);
    const at = beads.findIndex((bead) => bead.getAttribute('data-bead') === entry.id);
    switch (key.do) {
      case 'go':
        return beads[at + key.by]?.focus({ preventScroll: true });
      case 'move':
        return move(entry.id, entry.place - 1 + key.by);
      case 'remove':
        return remove(entry, at);
      case 'add':
        return addAfter(entry);
      case 'switch':
        commands.setHookOff(node.file, entry.id, !entry.off);
        return;
      case 'menu':
        return openMenu(beads[at]);
      case 'leave':
        return focusNode();
    }
  }

  return {
    ...{ drag, begin: beginIfMay, adding, setAdding, current, setCurrent, menuOf, setMenuOf, onKey, follow, addAfter },
    focus: (id: string | undefined) => (id === undefined ? undefined : buttonOf(id)?.focus({ preventScroll: true })),
    show: (entry: ChainEntry) => commands.showHook(node.file, entry.id),
    open,
  };
}

/** Which bead Tab reaches, and the focus on a hook that an edit is about to draw. */
function useFollow(list: RefObject<HTMLOListElement | null>, focusNode: () => void) {
  const [current, setCurrent] = useState<string>();
  const wanted = useRef<string>(undefined);

  const buttonOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(id)}"]`);
  /** Gives the focus to a hook that an edit is about to draw. */
  const follow = (id: string | undefined) => {
    if (id === undefined) return;
    wanted.current = id;
    setCurrent(id);
    requestAnimationFrame(() => requestAnimationFrame(settle));
  };
  /**
   * A hook that has no room on the wire must not take the focus much later, when it has. The bead that stands for it takes
   * the focus instead.
   */
  const settle = () => {
    if (wanted.current === undefined) return;
    wanted.current = undefined;
    if (document.activeElement !== document.body) return;
    const rest = list.current?.querySelector<HTMLElement>('[data-rest]');
    if (rest) rest.focus({ preventScroll: true });
    else focusNode();
  };
  // An edit gives a moved hook another id, so its button is new and takes the focus when it is there.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const button = buttonOf(wanted.current);
    if (!button) return;
    wanted.current = undefined;
    button.focus({ preventScroll: true });
  });
  return { current, setCurrent, follow, buttonOf };
}

function beadsIn(list: HTMLElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-bead]') ?? [])];
}

/** Opens the context menu of a bead, as the right mouse button does. */
function openMenu(bead: HTMLElement | undefined): void {
  const box = bead?.getBoundingClientRect();
  const where = { clientX: box?.left ?? 0, clientY: box?.bottom ?? 0 };
  bead?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...where }));
}
