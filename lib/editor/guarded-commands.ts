import type { AskedPart } from '@/lib/base/uses';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { type ChainEntry, hookChain } from '@/lib/graph/hook-chain';
import { partsIn, partsRenamedBy } from '@/lib/graph/impact/parts-of-files';
import type { Commands } from './commands';
import type { PartUsesSession } from './part-uses';
import type { ProjectStore } from './project-store';

/** Lets a person think again before something that tests, approvals, what is live or other projects need is deleted or renamed. */
export function guardedCommands(
  commands: Commands,
  { store, actions: { notify } }: ProjectStore,
  { actions: { guard } }: PartUsesSession,
): Commands {
  const partOf = (id: NodeId) => {
    const node = store.getState().picture.nodes.get(id);
    return node === undefined ? [] : partOfNode(node);
  };
  const partsOfFiles = (paths: readonly string[]) => {
    const { document, picture } = store.getState();
    return partsIn(document.folder, picture.drawn, picture.graph, paths);
  };
  const guardMoves = (label: string, moves: ReadonlyMap<string, string>, apply: () => void) => {
    const { document, picture } = store.getState();
    guard(label, partsRenamedBy(document.folder, picture.drawn, picture.graph, moves), apply);
  };
  const hookAt = (file: string, id: string) => {
    const { drawn } = store.getState().picture;
    const card = drawn.cards.find((one) => one.file === file);
    return card && hookChain(card, drawn).find((entry) => entry.id === id);
  };
  const remove: Commands['remove'] = (ids, removed) => {
    const [first] = ids;
    const name = (first === undefined ? undefined : store.getState().picture.nodes.get(first)?.name) ?? 'it';
    const label = ids.length === 1 ? `Delete ${name}` : `Delete ${ids.length}`;
    const options = { key: `Delete ${ids.join(' ')}`, isDeletion: true };
    guard(label, ids.flatMap(partOf), () => commands.remove(ids, removed), options);
  };
  return {
    ...commands,
    remove,
    cut: () => commands.cut(remove),
    rename(from, to, file, renamed) {
      const parts: readonly AskedPart[] = isSameName(from, to) ? [] : [{ kind: 'agent', name: from }];
      guard(`Rename ${from}`, parts, () => commands.rename(from, to, file, renamed));
    },
    renameServer(from, to, renamed) {
      const parts: readonly AskedPart[] = [{ kind: 'server', name: from }];
      const isSame = to.trim() === '' || to.trim() === from;
      guard(`Rename ${from}`, isSame ? [] : parts, () => commands.renameServer(from, to, renamed));
    },
    removeHook(file, id, removed) {
      const entry = hookAt(file, id);
      const label = `Remove hook ${entry?.name ?? ''}`.trim();
      const apply = () => {
        // The id is a place in a list, and somebody else may have changed the list during the question.
        if (hookAt(file, id)?.spec === entry?.spec) commands.removeHook(file, id, removed);
        else notify({ tone: 'info', text: 'The hooks have changed meanwhile, so nothing was removed.' });
      };
      guard(label, entry === undefined ? [] : partOfHook(entry), apply, {
        key: `${label} ${file} ${id}`,
      });
    },
    setHookOff(file, id, off) {
      const entry = hookAt(file, id);
      if (!off || entry === undefined) return commands.setHookOff(file, id, off);
      const label = `Switch hook ${entry.name} off`;
      let done: string | undefined;
      const apply = () => {
        if (hookAt(file, id)?.spec === entry.spec) done = commands.setHookOff(file, id, off);
        else notify({ tone: 'info', text: 'The hooks have changed meanwhile, so nothing was switched off.' });
      };
      guard(label, partOfHook(entry), apply, { key: `${label} ${file} ${id}` });
      return done;
    },
    deleteFiles(paths, name) {
      guard(`Delete ${name}`, partsOfFiles(paths), () => commands.deleteFiles(paths, name), { isDeletion: true });
    },
    renameFile(from, to) {
      guardMoves(`Rename ${from}`, new Map([[from, to]]), () => commands.renameFile(from, to));
    },
    moveFiles(moves, label) {
      guardMoves(label, moves, () => commands.moveFiles(moves, label));
    },
  };
}

/** Returns what can be asked about for a node. */
function partOfNode(node: GraphNode): readonly AskedPart[] {
  switch (node.kind) {
    case 'agent':
    case 'server':
      return [{ kind: node.kind, name: node.name }];
    case 'function':
      return [{ kind: 'tool', name: `${node.file}:${node.name}` }];
    case 'builtin':
      return [];
  }
}

/** Returns what can be asked about for a hook. Code that is missing does nothing anywhere in these files. */
function partOfHook({ kind, file, functionName, missing }: ChainEntry): readonly AskedPart[] {
  if (missing) return [];
  return [{ kind: 'hook', name: kind === 'code' ? `${file}:${functionName}` : kind }];
}

function isSameName(from: string, to: string): boolean {
  return to.trim() === '' || to.trim().replaceAll(' ', '_') === from;
}
