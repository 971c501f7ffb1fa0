import type { GraphNode, NodeId } from '@/lib/graph/graph';
import type { Commands } from './commands';
import type { AskedPart, PartUsesSession } from './part-uses';
import type { ProjectStore } from './project-store';

/** Lets a person think again before something that tests, approvals or other projects need is deleted or renamed. */
export function guardedCommands(
  commands: Commands,
  { store }: ProjectStore,
  { actions: { guard } }: PartUsesSession,
): Commands {
  const partOf = (id: NodeId) => {
    const node = store.getState().picture.nodes.get(id);
    return node === undefined ? [] : partOfNode(node);
  };
  return {
    ...commands,
    remove(ids) {
      const [first] = ids;
      const name = (first === undefined ? undefined : store.getState().picture.nodes.get(first)?.name) ?? 'it';
      const label = ids.length === 1 ? `Delete ${name}` : `Delete ${ids.length}`;
      guard(label, ids.flatMap(partOf), () => commands.remove(ids));
    },
    rename(from, to, file) {
      const isSame = to.trim() === '' || to.trim().replaceAll(' ', '_') === from;
      const parts: readonly AskedPart[] = isSame ? [] : [{ kind: 'agent', name: from }];
      guard(`Rename ${from}`, parts, () => commands.rename(from, to, file));
    },
  };
}

/** Returns what can be asked about for a node. */
export function partOfNode(node: GraphNode): readonly AskedPart[] {
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
