import { err, ok, type Result } from '@/lib/base/result';
import { renameFiles } from '@/lib/cards/edit/rename-file';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { unwrapFolder } from '@/lib/cards/project/unwrap-folder';
import type { NodeId } from '@/lib/graph/graph';
import { type ClashAnswer, findClashes, mergeSlice } from '@/lib/graph/transfer/merge-slice';
import { type Slice, sliceFolder } from '@/lib/graph/transfer/slice-project';
import { usualDirectory } from '@/lib/graph/usual-directory';
import { type CopiedNodes, copyNodes, type Pasted, readPasted } from './clipboard';
import { withChanges } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/** Commands that copy, paste and duplicate agents, and paste servers. */
export function clipboardCommands(
  { state, folder, apply }: Editing,
  actions: ProjectStore['actions'],
  remove: (ids: readonly NodeId[]) => void,
) {
  const project = () => ({ folder: folder(), parsed: readFolder(folder()) });

  /** What was copied here, the last copies. Any other text comes from elsewhere. */
  const own: string[] = [];

  function bring({ slice, next, isOwn = false }: Pasted, answers: ReadonlyMap<string, ClashAnswer>): boolean {
    const merged = mergeSlice(project(), slice, answers);
    const changes = merged.ok ? ok(merged.value.files) : merged;
    if (!apply(changes, { label: 'Paste', brought: !isOwn }) || !merged.ok) return false;
    const { agents, servers, missing, files } = merged.value;
    const ids = agents.length > 0 ? agents.map((name) => `agent:${name}`) : servers.map((name) => `server:${name}`);
    if (ids.length > 0) actions.select(ids);
    const isAllHere = files.size === 0;
    const said = [...(servers.length > 0 ? next : []), ...missing, ...(isAllHere ? [nothingNew] : [])];
    if (said.length > 0) actions.notify({ tone: 'info', text: said.join(' ') });
    return true;
  }

  /**
   * Pastes copied agents, or servers in the form of another program. Where a server or a file is another one here, a person is
   * asked first. Returns false if nothing can be pasted, and says why.
   */
  function paste(text: string): boolean {
    const read = readPasted(text, usualDirectory(state().picture.drawn));
    if (read === undefined) {
      if (text.trim() !== '') actions.notify({ tone: 'info', text: notUnderstood });
      return false;
    }
    const pasted = { ...read, isOwn: own.includes(plain(text)) };
    const clashes = findClashes(project(), pasted.slice);
    if (clashes.length > 0) actions.ask({ pasted, clashes });
    return clashes.length > 0 || bring(pasted, new Map());
  }

  function copyOf(ids: readonly NodeId[]) {
    const copied = copyOrSay(copyNodes(project(), state().picture.graph, ids), ids, actions);
    if (copied !== undefined) own.splice(0, own.length, ...[plain(copied.text), ...own].slice(0, mostOwn));
    return copied;
  }

  return {
    /**
     * Returns the selected agents and servers as text for the clipboard. Otherwise returns `undefined`, and a notice says why nothing
     * of the selection is copied.
     */
    copy: () => copyOf(state().selection)?.text,
    /** Removes what a copy of the selection brings back, and returns that copy. `take` may ask a person before it removes. */
    cut(take = remove): string | undefined {
      const copied = copyOf(state().selection);
      if (copied !== undefined) take(copied.ids);
      return copied?.text;
    },
    paste,
    /** Pastes what waits for these answers. Without answers nothing is pasted. */
    finishPaste(answers: ReadonlyMap<string, ClashAnswer> | undefined) {
      const { pasting } = state();
      actions.ask(undefined);
      if (pasting !== undefined && answers !== undefined) bring(pasting.pasted, answers);
    },
    /** Shows what a dropped folder would bring into the project. Cards alone go where the project's cards are. */
    bringFolder(name: string, files: Folder) {
      const dropped = droppedSlice(name, files, usualDirectory(project().parsed));
      if (!dropped.ok) {
        actions.notify({ tone: 'bad', text: dropped.error });
        return;
      }
      const slice = dropped.value;
      actions.ask({ pasted: { slice, next: [] }, clashes: findClashes(project(), slice), name });
    },
    duplicate(id: NodeId) {
      const copied = copyOf([id]);
      if (copied !== undefined) paste(copied.text);
    },
  };
}

/** Returns what a dropped folder brings. The error says why that is nothing. `directory` is where the cards of the project are. */
function droppedSlice(name: string, files: Folder, directory: string): Result<Slice, string> {
  const { folder } = unwrapFolder(files);
  const isFlat = ![...folder.keys()].some((path) => path.includes('/'));
  const { cards, unread } = readFolder(folder);
  if (cards.length === 0 && unread.size === 0)
    return err(`No agent card is in '${name}'. Other files are dropped on the list of files.`);
  const dropped = isFlat ? withCardsIn(directory, folder, new Set(cards.map(({ file }) => file))) : folder;
  const sliced = sliceFolder({ folder: dropped, parsed: readFolder(dropped) });
  return sliced.ok ? sliced : err(`Nothing of '${name}' came. ${sliced.error.message}`);
}

/** Returns the copy, or lets a notice say why there is none. */
function copyOrSay(
  copied: ReturnType<typeof copyNodes>,
  ids: readonly NodeId[],
  { notify }: ProjectStore['actions'],
): CopiedNodes | undefined {
  if (copied.ok && copied.value !== undefined) return copied.value;
  if (!copied.ok) notify({ tone: 'bad', text: copied.error.message });
  else if (ids.length > 0) notify({ tone: 'info', text: notAlone });
  return undefined;
}

const notUnderstood =
  'The pasted text was not understood. The canvas takes copied agents, a card that begins with ---, and MCP servers: settings as JSON, a command line or an address.';
const notAlone =
  'Nothing of the selection can be copied. Notes, groups and functions come along with an agent that is selected too.';
/** So many copies are known as made here. */
const mostOwn = 20;

/** Some systems change the ends of lines on the clipboard. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

const nothingNew = 'All of this is in the project already, so nothing was added.';

/** Moves cards to a folder. What names their files, and what they name, follows. */
function withCardsIn(directory: string, folder: Folder, cards: ReadonlySet<string>): Folder {
  const moves = new Map([...cards].map((path) => [path, directory === '' ? path : `${directory}/${path}`]));
  const moved = renameFiles(folder, moves);
  return moved.ok ? withChanges(folder, moved.value) : folder;
}
