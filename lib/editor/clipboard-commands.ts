import { ok } from '@/lib/base/result';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { NodeId } from '@/lib/graph/graph';
import { type ClashAnswer, findClashes, mergeSlice } from '@/lib/graph/transfer/merge-slice';
import { copyAgents, type Pasted, readPasted } from './clipboard';
import { fileChanges } from './compose';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands that copy, paste and duplicate agents, and paste servers. */
export function clipboardCommands({ state, folder, apply }: Editing, actions: ProjectStore['actions']) {
  const project = () => ({ folder: folder(), parsed: readFolder(folder()) });

  function bring({ slice, next }: Pasted, answers: ReadonlyMap<string, ClashAnswer>): void {
    const merged = mergeSlice(project(), slice, answers);
    const changes = merged.ok ? ok(fileChanges(merged.value.texts)) : merged;
    if (!apply(changes, { label: 'Paste' }) || !merged.ok) return;
    const { agents, servers, missing } = merged.value;
    const ids = agents.length > 0 ? agents.map((name) => `agent:${name}`) : servers.map((name) => `server:${name}`);
    if (ids.length > 0) actions.select(ids);
    const said = [...(servers.length > 0 ? next : []), ...missing];
    if (said.length > 0) actions.notify({ tone: 'info', text: said.join(' ') });
  }

  /**
   * Pastes copied agents, or servers in the form of another program. Where a server or a file is another one here, a person is
   * asked first. Returns false for any other text.
   */
  function paste(text: string): boolean {
    const pasted = readPasted(text);
    if (pasted === undefined) return false;
    const clashes = findClashes(project(), pasted.slice);
    if (clashes.length === 0) bring(pasted, new Map());
    else actions.ask({ pasted, clashes });
    return true;
  }

  const copyOf = (ids: readonly NodeId[]) => copyAgents(project(), state().picture.graph, ids);

  return {
    /** Returns the selected agents as text for the clipboard. */
    copy: () => copyOf(state().selection),
    paste,
    /** Pastes what waits for these answers. Without answers nothing is pasted. */
    finishPaste(answers: ReadonlyMap<string, ClashAnswer> | undefined) {
      const { pasting } = state();
      actions.ask(undefined);
      if (pasting !== undefined && answers !== undefined) bring(pasting.pasted, answers);
    },
    duplicate(id: NodeId) {
      const text = copyOf([id]);
      if (text !== undefined) paste(text);
    },
  };
}
