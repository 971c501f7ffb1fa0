import { ok } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { unwrapFolder } from '@/lib/cards/unwrap-folder';
import type { NodeId } from '@/lib/graph/graph';
import { type ClashAnswer, findClashes, mergeSlice } from '@/lib/graph/transfer/merge-slice';
import { sliceFolder } from '@/lib/graph/transfer/slice-project';
import { copyAgents, type Pasted, readPasted } from './clipboard';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands that copy, paste and duplicate agents, and paste servers. */
export function clipboardCommands({ state, folder, apply }: Editing, actions: ProjectStore['actions']) {
  const project = () => ({ folder: folder(), parsed: readFolder(folder()) });

  function bring({ slice, next }: Pasted, answers: ReadonlyMap<string, ClashAnswer>): void {
    const merged = mergeSlice(project(), slice, answers);
    const changes = merged.ok ? ok(merged.value.files) : merged;
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
    /** Shows what a dropped folder would bring into the project. Cards alone go to the folder of cards. */
    bringFolder(name: string, files: Folder) {
      const { folder: unwrapped } = unwrapFolder(files);
      const isFlat = ![...unwrapped.keys()].some((path) => path.includes('/'));
      const cards = new Set(readFolder(unwrapped).cards.map(({ file }) => file));
      if (cards.size === 0) {
        const text = `No agent card is in '${name}'. Other files are dropped on the list of files.`;
        actions.notify({ tone: 'bad', text });
        return;
      }
      const placed = (path: string) => (isFlat && cards.has(path) ? `agent-cards/${path}` : path);
      const dropped = new Map([...unwrapped].map(([path, file]) => [placed(path), file]));
      const slice = sliceFolder({ folder: dropped, parsed: readFolder(dropped) });
      actions.ask({ pasted: { slice, next: [] }, clashes: findClashes(project(), slice), name });
    },
    duplicate(id: NodeId) {
      const text = copyOf([id]);
      if (text !== undefined) paste(text);
    },
  };
}
