'use client';

import { Command } from 'cmdk';
import { Webhook } from 'lucide-react';
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { KindIcon } from '@/components/marks/kind-icon';
import { commandLooks } from '@/components/ui/command-frame';
import { VisibleText } from '@/components/ui/visible-text';
import {
  type FindKind,
  type Found,
  type FoundGroup,
  type FoundLine,
  findInProject,
  mostCounted,
} from '@/lib/editor/find';

const titles: Record<FindKind, string> = {
  names: 'Names',
  prompts: 'Prompts',
  settings: 'Settings and fields',
  code: 'Code',
  other: 'Other files',
};

export interface FindBodyProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onDone: () => void;
}

/** The field, and what was found. Enter goes to the chosen place. */
export function FindBody(props: FindBodyProps) {
  const field = useFocusAfterLoad();
  const folder = useProject((state) => state.document.folder);
  const picture = useProject((state) => state.picture);
  const goTo = useGoTo();
  // A keystroke never waits for the search.
  const query = useDeferredValue(props.query);
  const groups = useMemo(() => findInProject(folder, picture, query), [folder, picture, query]);
  const [selected, setSelected] = useState('');
  // Matches come after the keystroke, and the first of them is the one that Enter opens.
  const first = groups[0]?.found[0];
  useEffect(() => setSelected(first === undefined ? '' : keyOf(first)), [first]);
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  return (
    <Command label="Find in the project" loop shouldFilter={false} value={selected} onValueChange={setSelected}>
      <Command.Input
        ref={field}
        value={props.query}
        onValueChange={props.onQuery}
        onFocus={(event) => event.currentTarget.select()}
        placeholder="Find in names, prompts, settings and code…"
        className={commandLooks.field}
      />
      <p role="status" className="sr-only">
        {query.trim() === '' ? '' : `${total} found`}
      </p>
      <Command.List className={commandLooks.list}>
        <Command.Empty className={commandLooks.empty}>
          {query.trim() === '' ? 'Type what you look for.' : 'Nothing matches.'}
        </Command.Empty>
        {groups.map((group) => (
          <Command.Group key={group.kind} heading={headingOf(group)} className={commandLooks.heading}>
            {group.found.map((found) => (
              <Command.Item
                key={keyOf(found)}
                value={keyOf(found)}
                className={commandLooks.row}
                onSelect={() => {
                  props.onDone();
                  goTo(found);
                }}
              >
                <FoundRow found={found} />
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

/** Gives the focus to a field that takes the place of one that had it, with the caret behind what was typed there. */
function useFocusAfterLoad() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const input = field.current;
    if (input === null || document.activeElement !== document.body) return;
    input.focus();
    input.setSelectionRange(input.value.length, input.value.length);
  }, []);
  return field;
}

function headingOf({ kind, found, total }: FoundGroup): string {
  const all = total === mostCounted ? `${total} or more` : `${total}`;
  return found.length < total ? `${titles[kind]} (first ${found.length} of ${all})` : `${titles[kind]} (${total})`;
}

/** Returns the function that shows a place: a node with its form, a hook or a line in its file. */
function useGoTo(): (found: Found) => void {
  const actions = useActions();
  const commands = useCommands();
  return (found) => {
    switch (found.is) {
      case 'node':
        actions.goToNode(found.id);
        return actions.show({ inspectorTab: 'properties', narrowPanel: 'inspector' });
      case 'hook':
        return commands.openHook(found.file, found.id);
      case 'line':
        return actions.openFile(found.file, found);
    }
  };
}

function keyOf(found: Found): string {
  switch (found.is) {
    case 'node':
      return found.id;
    case 'hook':
      return `hook ${found.file} ${found.id}`;
    case 'line':
      return `line ${found.file} ${found.line}`;
  }
}

function FoundRow({ found }: { readonly found: Found }) {
  const node = useProject((state) => (found.is === 'node' ? state.picture.nodes.get(found.id) : undefined));
  switch (found.is) {
    case 'node':
      return (
        <>
          {node === undefined ? null : <KindIcon node={node} size={18} />}
          <span className="min-w-0 flex-1 truncate">
            <VisibleText text={found.name} />
          </span>
          <span className="shrink-0 text-faint text-xs">{node?.kind}</span>
        </>
      );
    case 'hook':
      return (
        <>
          <Webhook aria-hidden className="size-4 shrink-0 text-hook" />
          <span className="min-w-0 flex-1 truncate font-mono text-xs">
            <VisibleText text={found.name} />
          </span>
          <span className="max-w-40 shrink-0 truncate text-faint text-xs">hook of {found.agent}</span>
        </>
      );
    case 'line':
      return <LineRow line={found} />;
  }
}

function LineRow({ line }: { readonly line: FoundLine }) {
  const { text, from, to } = line;
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-faint text-xs">
        {line.file}:{line.line}
      </span>
      <span className="block truncate font-mono text-xs">
        {text.slice(0, from)}
        <mark className="rounded-xs bg-warn-soft text-ink">{text.slice(from, to)}</mark>
        {text.slice(to)}
      </span>
    </span>
  );
}
