import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { textAt } from './document';
import { issuesByServer } from './server-issues';

/**
 * Nodes that were added in this session and have not been touched, each with its text as it was added (`undefined` until
 * it is drawn). What they lack is a hint and no problem. A node is touched when its text, apart from its name, has changed
 * and the field was left; all are when a run is asked for.
 */
export type Newborn = ReadonlyMap<NodeId, string | undefined>;

/** The part of a picture that says what a node is. */
interface Drawn {
  readonly nodes: ReadonlyMap<NodeId, GraphNode>;
  readonly drawn: ParsedFolder;
}

/** An issue as the editor shows it. A hint says what a new node lacks. Its severity is `info`. */
export type ShownIssue = Issue & { readonly isHint?: true };

/** Turns the problems of new nodes into hints. */
export function withHints(folder: Folder, parsed: ParsedFolder, newborn: Newborn): ParsedFolder {
  if (newborn.size === 0) return parsed;
  const files = new Set(parsed.cards.flatMap(({ name, file }) => (newborn.has(`agent:${name}`) ? [file] : [])));
  const ofConfig = parsed.issues.filter(({ file }) => file === parsed.config.file);
  const serverOf = ofConfig.length === 0 ? new Map<Issue, NodeId>() : issuesByServer(folder, parsed.config, ofConfig);
  const issues = parsed.issues.map((issue): ShownIssue => {
    const isNew = files.has(issue.file) || newborn.has(serverOf.get(issue) ?? '');
    return isNew && issue.severity !== 'info' ? { ...issue, severity: 'info', isHint: true } : issue;
  });
  return { ...parsed, issues };
}

/** Returns the new nodes after a new picture: renamed ones are the same nodes, and drawn ones have their first text. */
export function followNewborn(
  newborn: Newborn,
  folder: Folder,
  picture: Drawn,
  renamed: ReadonlyMap<NodeId, NodeId>,
): Newborn {
  if (newborn.size === 0) return newborn;
  return new Map(
    [...newborn].map(([id, text]) => {
      const now = renamed.get(id) ?? id;
      return [now, text ?? bodyOf(folder, picture, now)] as const;
    }),
  );
}

/** Returns the new nodes that are as they were added. The same map if all are. */
export function untouched(newborn: Newborn, folder: Folder, picture: Drawn): Newborn {
  const kept = [...newborn].filter(([id, text]) => {
    const now = bodyOf(folder, picture, id);
    return text === undefined || now === undefined || now === text;
  });
  return kept.length === newborn.size ? newborn : new Map(kept);
}

/** Returns what a node is, apart from its name and its place. `undefined` if it is not there. */
function bodyOf(folder: Folder, { nodes, drawn }: Drawn, id: NodeId): string | undefined {
  const node = nodes.get(id);
  if (node?.kind === 'agent') return textAt(folder, node.file)?.replace(/^name:.*$/m, '');
  if (node?.kind !== 'server') return undefined;
  const { name: _, ...server } = drawn.config.servers[node.name] ?? { name: '' };
  return JSON.stringify(server);
}
