import type { FolderDraft } from '@/lib/cards/edit/draft';
import { type AgentMention, agentMentions, type ToolAgents, toolNamingOf } from '@/lib/cards/read/agent-mentions';

/**
 * Takes the name of an agent out of `callboard.yaml`: its own settings, and its place in lists. A rule for approvals, or a hook of
 * an agent, that names nothing else in such a list goes as a whole: without the list it would hold for everybody, and with an empty
 * one for nobody. `tools` has the tools of children before anything was removed.
 */
export function forgetInSettings(draft: FolderDraft, settings: string, name: string, tools: ToolAgents): void {
  const text = draft.read(settings, []);
  // Without a prefix the tool may be one of a server or of a file.
  const isUnsure = toolNamingOf(text) === 'plain';
  const mentions = agentMentions(text, tools).filter(
    ({ agent, as }) => agent === name && as !== 'member' && !(as === 'tool' && isUnsure),
  );
  const isTool = ({ as }: AgentMention) => as === 'tool' || as === 'set tool';
  for (const mention of mentions) {
    const { path, as } = mention;
    if (isTool(mention)) {
      if (path[0] === 'tool_groups') draft.yaml(settings, { op: 'remove', path });
    } else if (as === 'item') {
      // An empty list of workers stays, because without the list every child would be a worker.
      if (path[0] !== 'approvals') draft.yaml(settings, { op: 'remove', path });
    }
    // A call in a script keeps its arguments. When it runs, it reports that the worker does not exist.
    else if (path[0] !== 'scripts' || as === 'key') draft.prune(settings, path);
  }
  const inLists = mentions.filter((mention) => mention.as === 'item' || isTool(mention));
  // Hooks of the whole run (`run_hooks`) stay.
  const inHooks = inLists.filter(({ path }) => path[0] === 'agent_hooks');
  dropFromOwners(draft, settings, inHooks, { listDepth: 6 });
  const inRules = inLists.filter(({ path }) => path[0] === 'approvals');
  dropFromOwners(draft, settings, inRules, { listDepth: 4 });
}

/**
 * Removes names from lists, and the owner of a list that has no other name. An owner is an item of a list: a rule
 * (`approvals.rules.INDEX`), or a hook (`agent_hooks.AGENT.INDEX`).
 */
function dropFromOwners(
  draft: FolderDraft,
  settings: string,
  mentions: readonly AgentMention[],
  { listDepth }: { readonly listDepth: number },
): void {
  const ownerOf = ({ path }: AgentMention) => path.slice(0, 3).join('\n');
  const owners = new Map(mentions.map((mention) => [ownerOf(mention), mention.path.slice(0, 3)]));
  // The last owner comes first, so that the indexes of the others stay.
  const lastFirst = [...owners].sort(([, a], [, b]) => Number(b[2]) - Number(a[2]));
  for (const [owner, path] of lastFirst) {
    const named = mentions.filter((mention) => ownerOf(mention) === owner);
    const isEmptied = named.some(({ path: at }) => {
      const list = draft.read(settings, at.slice(0, listDepth));
      const inList = named.filter(({ path: other }) => other[listDepth - 1] === at[listDepth - 1]);
      return !Array.isArray(list) || list.length <= inList.length;
    });
    if (isEmptied) draft.prune(settings, path);
    else for (const { path: item } of named) draft.yaml(settings, { op: 'remove', path: item });
  }
}
