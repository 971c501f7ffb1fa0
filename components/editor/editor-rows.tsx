'use client';

import { ChartNoAxesGantt, Command as CommandIcon, FileText, Webhook } from 'lucide-react';
import { useMemo } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useActions, useProject, useReadProject } from '@/components/editor-state/project-context';
import { useRunActions } from '@/components/editor-state/run-context';
import { useTrustActions } from '@/components/editor-state/trust-context';
import { usePaste } from '@/components/editor-state/use-clipboard';
import { useCommands } from '@/components/editor-state/use-commands';
import { KindIcon } from '@/components/marks/kind-icon';
import { useRunsOf } from '@/components/run/use-runs-of';
import { usePaletteGroup } from '@/components/shell/palette-context';
import type { PaletteRow } from '@/components/shell/palette-store';
import type { RunInfo } from '@/lib/client/run-info';
import { addingCommands, type EditorCommandId, editorCommands, isPossible } from '@/lib/editor/editor-commands';
import type { ProjectState } from '@/lib/editor/project-state';
import { type ToolPlace, toolPlaceOf } from '@/lib/editor/tool-place';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';

export interface EditorRowsProps {
  readonly onShowKeys: () => void;
  readonly onFind: () => void;
  readonly onTour: () => void;
}

/** The rows that the editor adds to the palette: its commands, and every agent, server, hook, file and run to go to. */
export function EditorRows(props: EditorRowsProps) {
  usePaletteGroup('editor commands', useCommandGroup(props));
  usePaletteGroup('editor places', usePlaceGroup());
  usePaletteGroup('editor runs', useRunGroup());
  return null;
}

const commandIcon = <CommandIcon aria-hidden className="size-4 shrink-0 text-faint" />;

function useCommandGroup({ onShowKeys, onFind, onTour }: EditorRowsProps) {
  const selection = useProject((state) => state.selection);
  const readProject = useReadProject();
  const actions = useActions();
  const commands = useCommands();
  const paste = usePaste();
  const run = useRunActions();
  const trust = useTrustActions();
  const { rights } = useAccess();
  return useMemo(() => {
    const [first] = selection;
    const acts: Readonly<Record<EditorCommandId, () => void>> = {
      run: () => void run.start(),
      stop: () => void run.stop(),
      save: () => void actions.save(),
      undo: actions.undo,
      redo: actions.redo,
      add: () => actions.show({ picking: { what: 'all' }, narrowPanel: 'canvas' }),
      paste: () => void paste(),
      rename: () => first !== undefined && commands.startRename(first),
      remove: () => commands.remove(selection),
      tryTool: () => commands.openToolBench(placeToTry(first, readProject().picture)),
      find: onFind,
      showRun: () => actions.show({ dockTab: 'run', narrowPanel: 'dock' }),
      showProblems: () => actions.show({ dockTab: 'problems', narrowPanel: 'dock' }),
      showFiles: () => actions.show({ dockTab: 'files', narrowPanel: 'dock' }),
      showTrust: () => void trust.review(),
      showKeys: onShowKeys,
      tour: onTour,
    };
    const own = editorCommands
      .filter((command) => isPossible(command, rights, selection.length))
      .map((command): PaletteRow => ({ ...command, icon: commandIcon, does: acts[command.id] }));
    const adding = addingCommands
      .filter((command) => isPossible(command, rights, selection.length))
      .map(
        ({ what, ...command }): PaletteRow => ({
          ...command,
          icon: commandIcon,
          does: () => commands.add(what, { at: undefined, source: undefined, user: undefined }),
        }),
      );
    return { title: 'Commands', place: 10, isShort: true, rows: [...own, ...adding] };
  }, [selection, readProject, actions, commands, paste, run, trust, rights, onShowKeys, onFind, onTour]);
}

/** Returns the selected thing, whose tools are tried. If it has no tools, it is the agent with which runs begin. */
function placeToTry(selected: NodeId | undefined, { nodes, entry }: ProjectState['picture']): ToolPlace {
  const node = selected === undefined ? undefined : nodes.get(selected);
  return (node && toolPlaceOf(node)) ?? { kind: 'agent', agent: entry ?? '' };
}

function usePlaceGroup() {
  const graph = useProject((state) => state.picture.graph);
  const folder = useProject((state) => state.document.folder);
  const actions = useActions();
  const commands = useCommands();
  return useMemo(() => {
    const hooks = graph.nodes.flatMap((node): PaletteRow[] => {
      if (node.kind !== 'agent') return [];
      const chain = graph.chains[node.id] ?? [];
      return chain.map((entry) => hookRow(entry, node, () => commands.openHook(node.file, entry.id)));
    });
    const files = [...folder.keys()].map((path) => fileRow(path, () => actions.openFile(path)));
    const nodes = graph.nodes.map((node) =>
      nodeRow(node, () => {
        actions.goToNode(node.id);
        actions.show({ narrowPanel: 'canvas' });
      }),
    );
    return { title: 'In this project', place: 40, rows: [...nodes, ...hooks, ...files] };
  }, [graph, folder, actions, commands]);
}

function nodeRow(node: GraphNode, does: () => void): PaletteRow {
  return {
    id: node.id,
    name: node.name,
    words: [node.kind],
    note: node.kind,
    icon: <KindIcon node={node} size={18} />,
    does,
  };
}

function hookRow(
  entry: ChainEntry,
  { file, name: agent }: { file: string; name: string },
  does: () => void,
): PaletteRow {
  return {
    id: `hook ${file} ${entry.id}`,
    name: entry.kind === 'code' ? entry.functionName : entry.spec,
    words: [entry.name, entry.spec, `hook of ${agent}`],
    note: `hook of ${agent}`,
    icon: <Webhook aria-hidden className="size-4 shrink-0 text-hook" />,
    does,
  };
}

function fileRow(path: string, does: () => void): PaletteRow {
  return {
    id: `file ${path}`,
    name: path,
    words: ['file'],
    note: 'file',
    icon: <FileText aria-hidden className="size-4 shrink-0 text-faint" />,
    isCode: true,
    does,
  };
}

/** The newest runs of the project. Without an answer there are none. */
function useRunGroup() {
  const { data } = useRunsOf(useProject((state) => state.projectId));
  return useMemo(() => ({ title: 'Runs of this project', place: 60, rows: (data ?? []).map(runRow) }), [data]);
}

function runRow({ id, message, status, entryAgent }: RunInfo): PaletteRow {
  return {
    id: `run ${id}`,
    name: message.trim() === '' ? 'Run without a message' : message,
    words: [`run ${status}`, entryAgent ?? ''],
    note: `run, ${status}`,
    icon: <ChartNoAxesGantt aria-hidden className="size-4 shrink-0 text-faint" />,
    does: { href: `/r/${id}` },
  };
}
