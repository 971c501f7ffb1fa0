import { own } from '@/lib/base/own';
import type { AgentCard } from '@/lib/cards/card';
import { FolderDraft } from '@/lib/cards/edit/draft';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Command } from './commands';
import type { EdgeKind, Graph, NodeId } from './graph';
import { canAllow } from './rules';
import { newSettings, settingsFileOf } from './settings-file';

/** Wires of kind `may_call` that are drawn or removed, as edits of the lists in `callboard.yaml` (./worker-lists). */

/** Lets an agent call another by name with `worker_call`. Returns an Issue if that is not allowed. */
export function allowWorker(
  folder: Folder,
  parsed: ParsedFolder,
  graph: Graph,
  source: NodeId,
  target: NodeId,
): Command {
  const draft = new FolderDraft(folder);
  const verdict = canAllow(graph, parsed, source, target);
  const from = graph.nodes.find(({ id }) => id === source);
  const to = graph.nodes.find(({ id }) => id === target);
  const card = parsed.cards.find(({ file }) => from?.kind === 'agent' && file === from.file);
  if (!verdict.ok) draft.fail('cannot-connect', settingsFileOf(parsed), verdict.reason);
  else if (card?.type === 'agent' && to !== undefined) append(draft, parsed, card, to.name);
  return draft.changes();
}

function append(draft: FolderDraft, parsed: ParsedFolder, card: AgentCard, name: string): void {
  const file = settingsFileOf(parsed);
  const { delegation } = own(parsed.settings.toolsets, card.name) ?? {};
  const path = ['toolsets', card.name, 'delegation', 'allow_workers'];
  if (delegation !== undefined && delegation.allow_workers === undefined) {
    // Without a list the children are the workers, so they stay workers beside the new one.
    draft.yaml(file, { op: 'set', path, value: [...card.agents, name] });
  } else {
    const index = delegation?.allow_workers?.length ?? 0;
    if (index === 0) draft.yaml(file, { op: 'set', path, value: [name] }, newSettings);
    else draft.yaml(file, { op: 'insert', path, index, value: name });
  }
}

/** Removes a name from the lists of an agent. */
export function dropWorker(draft: FolderDraft, parsed: ParsedFolder, agent: string, name: string): void {
  const file = parsed.settingsFile;
  const toolset = own(parsed.settings.toolsets, agent);
  if (file === undefined || toolset === undefined) return;
  const { allow_workers: allowed = [], ...others } = toolset.delegation ?? {};
  const rest = allowed.filter((one) => one !== name);
  if (rest.length < allowed.length) {
    const path = ['toolsets', agent, 'delegation'];
    // An empty list stays beside other options, because without the list every child would be a worker.
    if (rest.length === 0 && Object.keys(others).length === 0) draft.prune(file, path);
    else dropFrom(draft, file, [...path, 'allow_workers'], name);
  }
  const tools = toolset.worker_tools?.workers ?? [];
  if (!tools.includes(name)) return;
  const path = ['toolsets', agent, 'worker_tools'];
  if (tools.every((one) => one === name)) draft.prune(file, path);
  else dropFrom(draft, file, [...path, 'workers'], name);
}

/** True if an agent may still call another by name when its wire of this kind is gone, so that the options still apply. */
export function remainsWorker(parsed: ParsedFolder, agent: string, name: string, kind: EdgeKind): boolean {
  const toolset = own(parsed.settings.toolsets, agent);
  const listed = [...(toolset?.delegation?.allow_workers ?? []), ...(toolset?.worker_tools?.workers ?? [])];
  return listed.includes('*') || (kind !== 'may_call' && listed.includes(name));
}

function dropFrom(draft: FolderDraft, file: string, path: readonly string[], name: string): void {
  const list = draft.read(file, path);
  if (!Array.isArray(list)) return;
  for (let index = list.length - 1; index >= 0; index--) {
    if (list[index] === name) draft.yaml(file, { op: 'remove', path: [...path, index] });
  }
}
