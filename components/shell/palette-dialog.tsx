'use client';

import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { CommandFrame, commandLooks } from '@/components/ui/command-frame';
import { Keys } from '@/components/ui/kbd';
import { VisibleText } from '@/components/ui/visible-text';
import { findRows } from '@/lib/client/find-rows';
import { useAppGroups } from './app-groups';
import type { EarlyKeys } from './early-keys';
import { usePalette } from './palette-context';
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
  const isOpen = useSyncExternalStore(palette.subscribe, palette.isOpen, () => false);
  return (
    <CommandFrame title="Command palette" open={isOpen} onOpenChange={palette.setOpen}>
      <PaletteBody {...props} />
    </CommandFrame>
  );
}

function PaletteBody({ met, early }: PaletteDialogProps) {
  const palette = usePalette();
  const [query, setQuery] = useState(early.text);
  const [selected, setSelected] = useState('');
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
  useEarlyKeys(early, () => first !== undefined && act(first));
  const firstKey = first === undefined ? '' : keyOf(found[0]?.title ?? '', first);
  // Rows come after the keystroke too, and the first one is what Enter chooses.
  useEffect(() => setSelected(firstKey), [firstKey]);
  return (
    <Command label="Command palette" loop shouldFilter={false} value={selected} onValueChange={setSelected}>
      <Command.Input
        value={query}
        onValueChange={setQuery}
        placeholder="Type a command, a page, a setting or a project…"
        className={commandLooks.field}
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

/** From now on the palette takes keys itself. Enter, if it was pressed before, chooses the best match of what was typed before. */
function useEarlyKeys(early: EarlyKeys, choose: () => void) {
  const chooseNow = useEffectEvent(choose);
  useEffect(() => {
    const { isEntered } = early;
    Object.assign(early, { text: '', isEntered: false, isOver: true });
    if (isEntered) chooseNow();
  }, [early]);
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
