import { ok } from '@/lib/base/result';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { NodeId } from '@/lib/graph/graph';
import { type ClashAnswer, findClashes, mergeSlice } from '@/lib/graph/transfer/merge-slice';
import type { Slice } from '@/lib/graph/transfer/slice-project';
import { copyAgents, readCopied } from './clipboard';
import { fileChanges } from './compose';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands that copy, paste and duplicate agents. */
export function clipboardCommands({ state, folder, apply }: Editing, actions: ProjectStore['actions']) {
  const project = () => ({ folder: folder(), parsed: readFolder(folder()) });

  function bring(slice: Slice, answers: ReadonlyMap<string, ClashAnswer>): void {
    const merged = mergeSlice(project(), slice, answers);
    const changes = merged.ok ? ok(fileChanges(merged.value.texts)) : merged;
    if (!apply(changes, { label: 'Paste' }) || !merged.ok) return;
    const { agents, missing } = merged.value;
    actions.select(agents.map((name) => `agent:${name}`));
    if (missing.length > 0) actions.notify({ tone: 'info', text: missing.join(' ') });
  }

  /**
   * Pastes agents. Where a server or a file is another one here, a person is asked first. Returns false when the text is not
   * copied agents.
   */
  function paste(text: string): boolean {
    const slice = readCopied(text);
    if (slice === undefined) return false;
    const clashes = findClashes(project(), slice);
    if (clashes.length === 0) bring(slice, new Map());
    else actions.ask({ slice, clashes });
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
      if (pasting !== undefined && answers !== undefined) bring(pasting.slice, answers);
    },
    duplicate(id: NodeId) {
      const text = copyOf([id]);
      if (text !== undefined) paste(text);
    },
  };
}
