'use client';

import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { CommandFrame, commandLooks } from '@/components/ui/command-frame';
import { Keys } from '@/components/ui/kbd';
import { VisibleText } from '@/components/ui/visible-text';
import { findRows } from '@/lib/client/find-rows';
import { useAppGroups } from './app-groups';
import type { EarlyKeys } from './early-keys';
import { useIsPaletteOpen, usePalette } from './palette-context';
import type { PaletteDialogProps } from './palette-dialog-props';
import type { PaletteGroup, PaletteRow } from './palette-store';
import { useProjectGroup } from './use-project-group';

/** So many rows of a long group are listed. Without a query they are fewer, because nobody reads them all. */
const mostFound = 30;
const mostAtFirst = 12;

/**
 * The command palette: every command, page, setting and project, and what the page adds of its own. A field above a list; the best match is
 * first, and Enter chooses it.
 */
export function PaletteDialog(props: PaletteDialogProps) {
  const palette = usePalette();
  const isOpen = useIsPaletteOpen();
  return (
    <CommandFrame title="Command palette" open={isOpen} onOpenChange={palette.setOpen}>
      <PaletteBody {...props} />
    </CommandFrame>
  );
}

function PaletteBody({ met, early }: PaletteDialogProps) {
  const palette = usePalette();
  const { query, setQuery, isEntered, setIsEntered } = useTyped(early);
  /** The row that a person has moved to, in a list. */
  const [moved, setMoved] = useState({ list: '', to: '' });
  const ofPage = useSyncExternalStore(palette.subscribe, palette.groups, palette.groups);
  const ofApp = useAppGroups(met);
  const { group: projects, fault } = useProjectGroup(query);
  const found = useMemo(
    () => findGroups([...ofPage.values(), ...ofApp, projects], query),
    [ofPage, ofApp, projects, query],
  );
  const choose = useChoose();
  const first = found[0]?.rows[0];
  const act = (row: PaletteRow) => {
    palette.setOpen(false);
    choose(row);
  };
  const enter = useEffectEvent(() => {
    if (first === undefined) return;
    setIsEntered(false);
    act(first);
  });
  const firstKey = first === undefined ? '' : keyOf(found[0]?.title ?? '', first);
  // Rows come after the keystroke too, and the first one is what Enter chooses.
  const list = `${query}\n${firstKey}`;
  useEffect(() => {
    if (isEntered && firstKey !== '') enter();
  }, [firstKey, isEntered]);
  return (
    <Command
      label="Command palette"
      loop
      shouldFilter={false}
      value={moved.list === list ? moved.to : firstKey}
      onValueChange={(to) => setMoved({ list, to })}
      onKeyDown={(event) => {
        if (!isEarlyEnter(event)) return;
        event.preventDefault();
        setIsEntered(true);
      }}
    >
      <Command.Input
        value={query}
        onValueChange={(text) => {
          setQuery(text);
          setIsEntered(false);
        }}
        placeholder="Type a command, a page, a setting or a project…"
        className={commandLooks.field}
        data-first-focus
      />
      <Command.List className={commandLooks.list}>
        <Command.Empty className={commandLooks.empty}>Nothing matches. Try another word.</Command.Empty>
        {found.map(({ title, rows }) => (
          <Command.Group key={title} heading={title} className={commandLooks.heading}>
            {rows.map((row) => (
              <Command.Item
                key={row.id}
                value={keyOf(title, row)}
                onSelect={() => act(row)}
                className={commandLooks.row}
              >
                <RowContent row={row} />
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {fault !== undefined && (
        <p role="status" className="border-t px-4 py-2 text-muted text-xs">
          {fault}
        </p>
      )}
    </Command>
  );
}

/** What the field has, beginning with what was typed before it was there. */
function useTyped(early: EarlyKeys) {
  const [query, setQuery] = useState(early.text);
  /** True if Enter was pressed before a row was selected. It chooses the best match as soon as there is one. */
  const [isEntered, setIsEntered] = useState(false);
  useEffect(() => {
    if (early.isOver) return;
    // Keys may have come since this was rendered, and the field must have all of them before it takes keys itself.
    if (query !== early.text) return setQuery(early.text);
    setIsEntered(early.isEntered);
    Object.assign(early, { text: '', isEntered: false, isOver: true });
  }, [early, query]);
  return { query, setQuery, isEntered, setIsEntered };
}

/** True for Enter before a row is selected, as right after a letter. The list would ignore the key. */
function isEarlyEnter({ key, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  return key === 'Enter' && currentTarget.querySelector('[cmdk-item][aria-selected="true"]') === null;
}

function keyOf(title: string, row: PaletteRow): string {
  return `${title} ${row.id}`;
}

interface FoundPart {
  readonly title: string;
  readonly rows: readonly PaletteRow[];
}

/** Returns the groups that have rows for a query, the one with the best row first. */
function findGroups(groups: readonly PaletteGroup[], query: string): readonly FoundPart[] {
  const isAtFirst = query.trim() === '';
  return groups
    .flatMap(({ title, place, rows, isShort = false }) => {
      const most = isShort ? rows.length : isAtFirst ? mostAtFirst : mostFound;
      const found = findRows(rows, query, most);
      const [best] = found;
      return best === undefined ? [] : [{ title, place, rank: best.rank, rows: found.map(({ row }) => row) }];
    })
    .sort((a, b) => a.rank - b.rank || a.place - b.place);
}

function useChoose(): (row: PaletteRow) => void {
  const router = useRouter();
  return ({ does }) => (typeof does === 'function' ? does() : router.push(does.href));
}

function RowContent({ row: { name, icon, note, keys = '', isCode = false } }: { readonly row: PaletteRow }) {
  return (
    <>
      {icon}
      <span className={`min-w-0 flex-1 truncate ${isCode ? 'font-mono text-xs' : ''}`}>
        <VisibleText text={name} />
      </span>
      {note !== undefined && <span className="max-w-40 shrink-0 truncate text-faint text-xs">{note}</span>}
      {keys !== '' && <Keys keys={keys} />}
    </>
  );
}
