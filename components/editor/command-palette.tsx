'use client';

import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRunActions } from '@/components/editor-state/run-context';
import { useTrustActions } from '@/components/editor-state/trust-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { listRuns } from '@/lib/client/runs';
import { workflowKinds } from '@/lib/editor/agent-kinds';
import { rankByWords } from '@/lib/editor/rank-by-words';
import { CommandFrame, commandLooks } from './command-frame';
import { keyOfRow, PaletteItem, type PaletteRow, textOfRow } from './palette-rows';

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onShowKeys: () => void;
  readonly onFind: () => void;
  readonly onExport: () => void;
  readonly onTour: () => void;
}

/** Lists every action by name with its keys, and every agent, server, hook, file and run to go to. */
export function CommandPalette(props: CommandPaletteProps) {
  return (
    <CommandFrame title="Command palette" open={props.open} onOpenChange={props.onOpenChange}>
      <PaletteBody {...props} />
    </CommandFrame>
  );
}

/** So many rows of a group are listed. Without a query they are fewer, because nobody reads them all. */
const mostFound = 30;
const mostAtFirst = 12;

function PaletteBody(props: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const limit = query.trim() === '' ? mostAtFirst : mostFound;
  const find = (rows: readonly PaletteRow[], most: number) => rankByWords(rows, textOfRow, query, most);
  const acts = useActs(props);
  const places = usePlaces();
  const runs = useRuns();
  const choose = useChoose();
  const groups = [
    { title: 'Actions', rows: find(acts, acts.length) },
    { title: 'Go to', rows: find(places, limit) },
    { title: 'Runs of this project', rows: find(runs, limit) },
  ];
  return (
    <Command label="Command palette" loop shouldFilter={false}>
      <Command.Input
        autoFocus
        value={query}
        onValueChange={setQuery}
        placeholder="Type a command, an agent, a hook, a file or a run…"
        className={commandLooks.field}
      />
      <Command.List className={commandLooks.list}>
        <Command.Empty className={commandLooks.empty}>Nothing matches.</Command.Empty>
        {groups.map(({ title, rows }) =>
          rows.length === 0 ? null : (
            <Command.Group key={title} heading={title} className={commandLooks.heading}>
              {rows.map((row) => (
                <PaletteItem
                  key={keyOfRow(row)}
                  row={row}
                  onChoose={() => {
                    props.onOpenChange(false);
                    choose(row);
                  }}
                />
              ))}
            </Command.Group>
          ),
        )}
      </Command.List>
    </Command>
  );
}

type Act = readonly [label: string, keys: string, act: () => void];

/** Every action with its keys; those of the selection only if one node is selected. */
function useActs(props: CommandPaletteProps): readonly PaletteRow[] {
  const selection = useProject((state) => state.selection);
  const actions = useActions();
  const commands = useCommands();
  const run = useRunActions();
  const trust = useTrustActions();
  const only = selection.length === 1 ? selection[0] : undefined;
  const { rights } = useAccess();
  const edits: readonly Act[] = [
    ['Save now', 'Mod+S', () => void actions.save()],
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
  ];
  const runs: readonly Act[] = [
    ['Run', 'Mod+Enter', () => void run.start()],
    ['Stop the run', 'Mod+.', () => void run.stop()],
  ];
  const acts: readonly Act[] = [
    ...(rights.includes('run') ? runs : []),
    ...(rights.includes('edit') ? edits : []),
    ['Find in the project', 'Mod+F', props.onFind],
    ['Export…', '', props.onExport],
    ['Show problems', '', () => actions.show({ dockTab: 'problems', narrowPanel: 'dock' })],
    ['Show files', '', () => actions.show({ dockTab: 'files', narrowPanel: 'dock' })],
    ['Show what this folder starts or calls', '', () => void trust.review()],
    ['All keys', '?', props.onShowKeys],
    ['Take the tour', '', props.onTour],
  ];
  return acts.map(([label, keys, act]) => ({ is: 'action', label, keys, act }));
}

function usePlaces(): readonly PaletteRow[] {
  const graph = useProject((state) => state.picture.graph);
  const folder = useProject((state) => state.document.folder);
  return useMemo((): readonly PaletteRow[] => {
    const hooks = graph.nodes.flatMap((node): PaletteRow[] => {
      if (node.kind !== 'agent') return [];
      const chain = graph.chains[node.id] ?? [];
      return chain.map((entry) => ({ is: 'hook', entry, file: node.file, agent: node.name }));
    });
    return [
      ...graph.nodes.map((node): PaletteRow => ({ is: 'node', node })),
      ...hooks,
      ...[...folder.keys()].map((path): PaletteRow => ({ is: 'file', path })),
    ];
  }, [graph, folder]);
}

/** Returns the newest runs of the project. Without an answer there are none. */
function useRuns(): readonly PaletteRow[] {
  const projectId = useProject((state) => state.projectId);
  const { data } = useQuery({
    queryKey: ['runs of a project', projectId],
    queryFn: () => listRuns(new URLSearchParams({ project: projectId }).toString(), undefined),
    staleTime: 5_000,
  });
  return useMemo(
    () => (data?.groups ?? []).flatMap(({ runs }) => runs.map((run): PaletteRow => ({ is: 'run', run }))),
    [data],
  );
}

/** Returns the function that does or shows what a row stands for. */
function useChoose(): (row: PaletteRow) => void {
  const actions = useActions();
  const commands = useCommands();
  const router = useRouter();
  return (row) => {
    switch (row.is) {
      case 'action':
        return row.act();
      case 'node':
        return actions.select([row.node.id]);
      case 'hook':
        return commands.openHook(row.file, row.entry.id);
      case 'file':
        return actions.openFile(row.path);
      case 'run':
        return router.push(`/r/${row.run.id}`);
    }
  };
}
