'use client';

import { ChevronRight, GripVertical, MoreHorizontal, Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { VisibleText } from '@/components/ui/visible-text';
import { type ChainEntry, hookChain } from '@/lib/graph/hook-chain';
import { originWords, phaseWords } from '@/lib/graph/hook-words';
import { AddHook, type Adding } from './add-hook';
import { hookKey } from './hook-key';
import { HookIcon, hookColours, hookLabel } from './hook-look';
import { HookMenuItems } from './hook-menu';
import { reasonAgainst } from './reason-against';
import { useHookDrag } from './use-hook-drag';

/** The hook chain of an agent as a list: outermost first, then the hooks of phases. */
export function HookList(props: {
  readonly file: string;
  readonly agent: string;
  /** Shows the settings of a hook when its row is unfolded. Without it, rows do not unfold. */
  readonly details?: (entry: ChainEntry) => ReactNode;
}) {
  const { file, agent, details } = props;
  const card = useProject((state) => state.picture.drawn.cards.find((one) => one.file === file));
  const parsed = useProject((state) => state.picture.drawn);
  const entries = card === undefined ? [] : hookChain(card, parsed);
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [adding, setAdding] = useState<Adding>();
  const [unfolded, setUnfolded] = useState<string>();
  const mayEdit = useProject((state) => state.mayEdit);
  const { drag, begin, onKey, follow } = useListEditing(file, list);
  useShownHook(file, details !== undefined, list, setUnfolded);
  const around = entries.filter(({ phase }) => phase === 'around').length;
  const from = entries.findIndex(({ id }) => id === drag?.id);
  const gap = drag === undefined || drag.to === from ? undefined : drag.to > from ? drag.to + 1 : drag.to;
  return (
    <div className="flex flex-col gap-2">
      {entries.length === 0 ? (
        <p className="text-muted text-sm">No hook sees the calls of {agent} yet.</p>
      ) : (
        <ol ref={list} aria-label={`Hook chain of ${agent}, outermost first`} className="flex flex-col">
          {entries.map((entry, index) => (
            <li key={entry.id} data-hook={entry.phase === 'around' ? entry.id : undefined} className="relative py-0.5">
              {gap === index ? <DropLine end="top" reason={drag?.reason} /> : null}
              {gap === around && index === around - 1 ? <DropLine end="bottom" reason={drag?.reason} /> : null}
              <HookListRow
                {...{ file, agent, entry, around }}
                dragged={drag?.id === entry.id}
                unfolded={unfolded === entry.id}
                foldable={details !== undefined}
                onToggle={() => setUnfolded(unfolded === entry.id ? undefined : entry.id)}
                onGrip={(event) => mayEdit && begin(event, entry.id)}
                onKey={(event) => onKey(event, entry, setAdding)}
                onDone={follow}
                onAdd={() => setAdding({ at: entry.phase === 'around' ? entry.place : undefined, anchor: add })}
              />
              {(unfolded === entry.id || !mayEdit) && details !== undefined ? (
                <div className="mt-1 mb-2 ml-5 border-l pl-3">{details(entry)}</div>
              ) : null}
            </li>
          ))}
        </ol>
      )}
      <Button
        ref={add}
        size="sm"
        className="self-start"
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => setAdding({ at: undefined, anchor: add })}
      >
        Add hook
      </Button>
      <AddHook
        file={file}
        agent={agent}
        hasPhases={card?.type === 'agent'}
        adding={adding}
        onClose={() => setAdding(undefined)}
        onAdded={(id) => {
          follow(id);
          setUnfolded(id);
        }}
      />
    </div>
  );
}

/** Unfolds the hook whose form was asked for, and scrolls to it. */
function useShownHook(
  file: string,
  foldable: boolean,
  list: React.RefObject<HTMLOListElement | null>,
  unfold: (id: string) => void,
) {
  const shown = useProject((state) => state.shownHook);
  const id = foldable && shown?.file === file ? shown.id : undefined;
  // Each request is a new object, so a hook that was folded meanwhile is unfolded again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is the request
  useEffect(() => {
    if (id === undefined) return;
    unfold(id);
    // A frame later, because the inspector begins at its top for a node that was not selected before.
    const frame = requestAnimationFrame(() => {
      list.current?.querySelector(`[data-bead="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [id, shown, list, unfold]);
}

function HookListRow(props: {
  readonly file: string;
  readonly agent: string;
  readonly entry: ChainEntry;
  readonly around: number;
  readonly dragged: boolean;
  readonly unfolded: boolean;
  readonly foldable: boolean;
  readonly onToggle: () => void;
  readonly onGrip: (event: React.PointerEvent) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onDone: (id: string | undefined) => void;
  readonly onAdd: () => void;
}) {
  const { file, agent, entry, around, dragged, unfolded, foldable } = props;
  const commands = useCommands();
  const [menuOpen, setMenuOpen] = useState(false);
  const moves = entry.phase === 'around';
  return (
    <div
      className={`flex h-8 items-center gap-1.5 rounded border bg-surface pr-0.5 pl-1 ${dragged ? 'opacity-40' : ''} ${entry.missing ? 'border-bad' : ''}`}
    >
      <span
        aria-hidden
        className={`flex h-full w-4 shrink-0 touch-none items-center justify-center text-faint ${moves ? 'cursor-grab' : 'invisible'}`}
        onPointerDown={moves ? props.onGrip : undefined}
      >
        <GripVertical className="size-3.5" />
      </span>
      <span
        aria-hidden
        className={`flex h-5 min-w-5 items-center justify-center rounded-full border px-1 ${hookColours(entry)}`}
      >
        <HookIcon entry={entry} />
      </span>
      <button
        type="button"
        data-bead={entry.id}
        aria-label={hookLabel(entry)}
        aria-expanded={foldable ? unfolded : undefined}
        title={entry.spec}
        className="flex h-full min-w-0 flex-1 cursor-pointer items-center gap-1.5 rounded text-left text-sm outline-none focus-visible:ring-2 focus-visible:ring-accent"
        onKeyDown={(event) => {
          if (hookKey(event, true)?.do !== 'menu') return props.onKey(event);
          event.preventDefault();
          setMenuOpen(true);
        }}
        onClick={foldable ? props.onToggle : () => commands.showHook(file, entry.id)}
      >
        <span className={`min-w-0 truncate font-medium ${entry.off ? 'text-muted' : entry.missing ? 'text-bad' : ''}`}>
          <VisibleText text={entry.name} />
        </span>
        <span
          aria-hidden
          data-mark={`${entry.off ? 'off · ' : ''}${entry.missing ? 'missing' : moves ? originWords[entry.origin] : phaseWords[entry.phase]}`}
          className="min-w-0 flex-1 truncate text-faint text-xs before:content-[attr(data-mark)]"
        />
        {foldable ? (
          <ChevronRight aria-hidden className={`size-3.5 shrink-0 text-faint ${unfolded ? 'rotate-90' : ''}`} />
        ) : null}
      </button>
      <RowMenu
        {...{ file, agent, entry, around }}
        open={menuOpen}
        onOpenChange={setMenuOpen}
        onDone={props.onDone}
        onAdd={props.onAdd}
      />
    </div>
  );
}

/** The menu of a row, opened by its button or by `Shift+F10`. */
function RowMenu(props: {
  readonly file: string;
  readonly agent: string;
  readonly entry: ChainEntry;
  readonly around: number;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onDone: (id: string | undefined) => void;
  readonly onAdd: () => void;
}) {
  const { file, agent, entry, around } = props;
  const moved = useRef(false);
  return (
    <DropdownMenu.Root modal={false} open={props.open} onOpenChange={props.onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <IconButton size="sm" label={`Actions of ${entry.name}`} icon={<MoreHorizontal aria-hidden />} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-52 rounded-lg border bg-raised p-1 shadow-pop"
          onCloseAutoFocus={(event) => {
            // A moved hook has taken the focus with it.
            if (moved.current) event.preventDefault();
            moved.current = false;
          }}
        >
          <HookMenuItems
            kind="dropdown"
            {...{ file, agent, entry, around }}
            onDone={(id) => {
              moved.current = id !== undefined;
              props.onDone(id);
            }}
            onAdd={props.onAdd}
          />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function DropLine({ end, reason }: { readonly end: 'top' | 'bottom'; readonly reason: string | undefined }) {
  return (
    <>
      <span
        className={`absolute right-0 left-0 z-10 h-0.5 rounded-full ${end === 'top' ? '-top-px' : '-bottom-px'} ${reason === undefined ? 'bg-accent' : 'bg-bad'}`}
      />
      {reason === undefined ? null : (
        <span
          role="alert"
          className={`absolute right-0 left-0 z-20 rounded border border-bad bg-bad-soft px-2 py-1 text-bad text-xs shadow-pop ${end === 'top' ? 'top-1' : 'top-full mt-1'}`}
        >
          {reason}
        </span>
      )}
    </>
  );
}

/** Moves rows by pointer and keys, and keeps the focus on the hook that was moved. */
function useListEditing(file: string, list: React.RefObject<HTMLOListElement | null>) {
  const commands = useCommands();
  const readProject = useReadProject();
  const wanted = useRef<string>(undefined);
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-bead]') ?? [])];
  const follow = (id: string | undefined) => {
    wanted.current = id;
  };
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const button = buttons().find((one) => one.getAttribute('data-bead') === wanted.current);
    if (button === undefined) return;
    wanted.current = undefined;
    button.focus({ preventScroll: true });
  });
  const { drag, begin } = useHookDrag({
    list,
    axis: 'y',
    reasonAgainst: (id, to) => reasonAgainst(readProject().picture.drawn, file, id, to),
    onDrop: (id, to) => follow(commands.moveHook(file, id, to)),
  });

  function onKey(event: KeyboardEvent, entry: ChainEntry, setAdding: (adding: Adding) => void) {
    const key = hookKey(event, readProject().mayEdit);
    if (key === undefined || key.do === 'leave' || key.do === 'menu') return;
    event.preventDefault();
    event.stopPropagation();
    const at = buttons().findIndex((button) => button.getAttribute('data-bead') === entry.id);
    switch (key.do) {
      case 'go':
        return buttons()[at + key.by]?.focus();
      case 'move':
        return follow(commands.moveHook(file, entry.id, entry.place - 1 + key.by) ?? entry.id);
      case 'remove':
        return commands.removeHook(file, entry.id, () =>
          requestAnimationFrame(() => (buttons()[at] ?? buttons().at(-1))?.focus()),
        );
      case 'add':
        return setAdding({
          at: entry.phase === 'around' ? entry.place : undefined,
          anchor: { current: buttons()[at] ?? null },
        });
      case 'switch':
        commands.setHookOff(file, entry.id, !entry.off);
    }
  }
  return { drag, begin, onKey, follow };
}
