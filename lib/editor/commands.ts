import type { Issue } from '@/lib/base/issue';
import type { Json } from '@/lib/base/json';
import { ok, type Result } from '@/lib/base/result';
import type { ServerConfig } from '@/lib/cards/config';
import { type CardEdit, editCard } from '@/lib/cards/edit';
import { checkPath } from '@/lib/cards/files';
import { renameFile } from '@/lib/cards/rename-file';
import { renameServer } from '@/lib/cards/rename-server';
import { setServerKey, setTransport } from '@/lib/cards/server-transport';
import { addAgent, addServer, type Command, moveNodes, renameAgent, setDelegation } from '@/lib/graph/commands';
import type { NodeId, Point } from '@/lib/graph/graph';
import { removeNodes } from '@/lib/graph/removal';
import { connect, disconnect } from '@/lib/graph/wires';
import { copyAgents, pasteAgents } from './clipboard';
import { compose, fileChanges, type Step } from './compose';
import { type FileChanges, textAt, textFile } from './document';
import { freeSpot, spotRightOf } from './place-nodes';
import type { EditOptions } from './project-state';
import type { ProjectStore } from './project-store';
import type { RunSession } from './run-session';

type Path = readonly (string | number)[];
export type Commands = ReturnType<typeof createCommands>;

/**
 * What a gesture, a form or a menu asks for, as one change of files each. What cannot be done is said in a notice, in the
 * words of whoever refused it.
 */
export function createCommands(
  { store, actions }: ProjectStore,
  run: RunSession,
  /** Puts the cursor into the message of the run dock, which has just been shown. */
  focusRunMessage: () => void,
) {
  const state = () => store.getState();
  const folder = () => store.getState().document.folder;
  const drawn = () => store.getState().picture.drawn;

  function apply(edited: Result<FileChanges, Issue>, options: EditOptions): boolean {
    if (edited.ok) actions.edit(edited.value, options);
    else actions.notify({ tone: 'bad', text: edited.error.message });
    return edited.ok;
  }

  /** As `apply`, but the picture follows a frame later: for what is typed. */
  function applyTyped(command: Command, options: EditOptions) {
    if (command.ok) actions.type(fileChanges(command.value), options);
    else actions.notify({ tone: 'bad', text: command.error.message });
  }

  function one(command: Command): Result<FileChanges, Issue> {
    return command.ok ? ok(fileChanges(command.value)) : command;
  }

  function cardEdit(file: string, edit: CardEdit): Command {
    const edited = editCard(textAt(folder(), file) ?? '', file, edit);
    return edited.ok ? ok(new Map([[file, edited.value]])) : edited;
  }

  function select(id: NodeId) {
    actions.select([id]);
    actions.show({ inspectorTab: 'properties' });
  }

  /**
   * Where something new goes when nobody said where: right of the selected node or of the entry, which probably comes to
   * use it. The place is the session's, as those of a layout are.
   */
  function placeNew(id: NodeId, parent: NodeId | undefined) {
    const { picture, points, selection, layoutPoints } = state();
    const wanted = [parent, selection.at(-1), `agent:${picture.entry}`];
    const from = wanted.find((one) => picture.nodes.get(one ?? '')?.kind === 'agent');
    const spot = from === undefined ? undefined : spotRightOf(picture.graph, points, from);
    if (spot !== undefined) actions.setLayoutPoints({ ...layoutPoints, [id]: spot });
  }

  function addAgentAt(name: string, at: Point | undefined, parent: NodeId | undefined): boolean {
    const position = at === undefined ? undefined : freeSpot(at, state().points);
    const id = `agent:${name}`;
    if (position === undefined && !state().picture.nodes.has(id)) placeNew(id, parent);
    const steps: Step[] = [
      (now, parsed) => addAgent(now, parsed, { name, ...(position === undefined ? {} : { position }) }),
      (now, parsed, graph) => (parent === undefined ? undefined : connect(now, parsed, graph, parent, id)),
    ];
    if (!apply(compose(folder(), steps), { label: `Add ${name}` })) return false;
    select(id);
    return true;
  }

  function addNewAgent(at: Point | undefined, parent: NodeId | undefined) {
    const name = freeName('agent', (taken) => drawn().cards.some((card) => card.name === taken));
    if (addAgentAt(name, at, parent)) actions.show({ renaming: `agent:${name}`, narrowPanel: 'canvas' });
  }

  /** The file of a card that was never saved takes the new name too; one that others may know keeps its own. */
  function withNewFileName(changes: FileChanges, from: string, to: string): FileChanges {
    for (const [path, file] of changes) {
      if (state().saved.folder.has(path) || !path.endsWith(`${from}.md`)) continue;
      const next = `${path.slice(0, -`${from}.md`.length)}${to}.md`;
      if (folder().has(next) || checkPath(next) !== undefined) continue;
      return new Map([...changes, [path, undefined], [next, file]]);
    }
    return changes;
  }

  function showRun() {
    actions.show({ dockTab: 'run', narrowPanel: 'dock' });
    focusRunMessage();
  }

  return {
    rename(from: string, to: string, file?: string) {
      const name = to.trim().replaceAll(' ', '_');
      if (from === name || name === '') return;
      const renamed = one(renameAgent(folder(), from, name, file));
      if (!renamed.ok) return actions.notify({ tone: 'bad', text: renamed.error.message });
      actions.edit(withNewFileName(renamed.value, from, name), { label: `Rename ${from} to ${name}` });
    },
    renameServer(from: string, to: string) {
      const name = to.trim();
      if (from === name || name === '') return;
      apply(one(renameServer(folder(), from, name)), { label: `Rename ${from} to ${name}` });
    },
    /** An agent or an MCP server. */
    startRename(id: NodeId) {
      const node = state().picture.nodes.get(id);
      if ((node?.kind === 'agent' || node?.kind === 'server') && !node.missing)
        actions.show({ renaming: id, narrowPanel: 'canvas' });
    },
    open(id: NodeId) {
      const node = state().picture.nodes.get(id);
      actions.select([id]);
      if ((node?.kind === 'agent' || node?.kind === 'function') && !node.missing) actions.openFile(node.file);
      else actions.show({ inspectorTab: 'properties', narrowPanel: 'inspector' });
    },
    connect(source: NodeId, target: NodeId) {
      apply(one(connect(folder(), drawn(), state().picture.graph, source, target)), { label: 'Connect' });
    },
    removeEdge(edgeId: string) {
      apply(one(disconnect(folder(), drawn(), state().picture.graph, edgeId)), { label: 'Remove edge' });
    },
    remove(ids: readonly NodeId[]) {
      const [first, ...others] = ids;
      if (first === undefined) return;
      const name = state().picture.nodes.get(first)?.name ?? first;
      const label = others.length === 0 ? `Delete ${name}` : `Delete ${ids.length}`;
      apply(one(removeNodes(folder(), drawn(), state().picture.graph, ids)), { label });
    },
    /** New places, canvas units; one step. */
    move(points: Readonly<Record<NodeId, Point>>) {
      const count = Object.keys(points).length;
      apply(one(moveNodes(folder(), drawn(), points)), { label: count === 1 ? 'Move' : `Move ${count}` });
    },
    async layOut() {
      const { layoutGraph } = await import('@/lib/graph/layout');
      const points = await layoutGraph(state().picture.graph, {});
      apply(one(moveNodes(folder(), drawn(), points)), { label: 'Lay out' });
    },
    addAgent(at: Point | undefined) {
      addNewAgent(at, undefined);
    },
    addChild(parent: NodeId) {
      addNewAgent(undefined, parent);
    },
    /** The selected agents as text for the clipboard. */
    copy(): string | undefined {
      return copyAgents(folder(), state().picture.graph, state().selection);
    },
    /** False when the text is not copied agents. */
    paste(text: string): boolean {
      const pasted = pasteAgents(folder(), text);
      if (pasted === undefined) return false;
      if (!pasted.ok) actions.notify({ tone: 'bad', text: pasted.error.message });
      else {
        actions.edit(pasted.value.changes, { label: 'Paste' });
        actions.select(pasted.value.ids);
      }
      return true;
    },
    duplicate(id: NodeId) {
      const text = copyAgents(folder(), state().picture.graph, [id]);
      if (text !== undefined) this.paste(text);
    },
    /** A card for a name that others refer to already. */
    createMissing(name: string) {
      addAgentAt(name, undefined, undefined);
    },
    addServer(at?: Point) {
      const name = freeName('server', (taken) => taken in drawn().config.servers);
      const position = at === undefined ? {} : { position: freeSpot(at, state().points) };
      if (at === undefined && !state().picture.nodes.has(`server:${name}`)) placeNew(`server:${name}`, undefined);
      if (apply(one(addServer(folder(), drawn(), { name, command: 'npx', ...position })), { label: `Add ${name}` })) {
        select(`server:${name}`);
        actions.show({ renaming: `server:${name}`, narrowPanel: 'canvas' });
      }
    },
    configureServer(name: string) {
      apply(one(addServer(folder(), drawn(), { name, command: 'npx' })), { label: `Configure ${name}` });
    },
    /** Sets a field of a card, or takes it out for `undefined`. */
    setField(file: string, path: Path, value: Json | undefined, label: string) {
      const edit: CardEdit = value === undefined ? { op: 'remove', path } : { op: 'set', path, value };
      applyTyped(cardEdit(file, edit), { label, burst: `field:${file}:${path.join('.')}` });
    },
    setInstruction(file: string, text: string, name: string) {
      applyTyped(cardEdit(file, { op: 'instruction', text }), {
        label: `Instruction of ${name}`,
        burst: `instruction:${file}`,
      });
    },
    insertName(file: string, path: Path, index: number, name: string) {
      apply(one(cardEdit(file, { op: 'insert', path, index, value: name })), { label: `Add ${name}` });
    },
    removeName(file: string, path: Path, index: number) {
      apply(one(cardEdit(file, { op: 'remove', path: [...path, index] })), { label: 'Remove reference' });
    },
    moveName(file: string, path: Path, from: number, to: number) {
      apply(one(cardEdit(file, { op: 'move', path, from, to })), { label: 'Reorder' });
    },
    setDelegation(parent: string, child: string, key: readonly string[], value: Json | undefined) {
      applyTyped(setDelegation(folder(), drawn(), { parent, child }, key, value), {
        label: `${key.join('.')} of ${parent} → ${child}`,
        burst: `delegation:${parent}:${child}:${key.join('.')}`,
      });
    },
    /** One field of a server in fast-agent.yaml. */
    setServer(name: string, key: string, value: Json | undefined) {
      const label = `${key} of ${name}`;
      applyTyped(setServerKey(folder(), drawn(), name, key, value), { label, burst: `server:${name}:${key}` });
    },
    setTransport(name: string, transport: ServerConfig['transport']) {
      apply(one(setTransport(folder(), drawn(), name, transport)), { label: `Transport of ${name}` });
    },
    newFile(path: string) {
      actions.edit(new Map([[path, textFile('')]]), { label: `New file ${path}` });
      actions.openFile(path);
    },
    renameFile(from: string, to: string) {
      const renamed = renameFile(folder(), from, to);
      if (!renamed.ok) return actions.notify({ tone: 'bad', text: renamed.error.message });
      actions.edit(renamed.value, { label: `Rename ${from}` });
      if (textAt(folder(), to) !== undefined) actions.openFile(to);
    },
    deleteFile(path: string) {
      actions.edit(new Map([[path, undefined]]), { label: `Delete ${path}` });
    },
    /** Runs what the dock says; without a message it goes there and says what is missing. */
    run() {
      showRun();
      void run.actions.start();
    },
    runAgent(id: NodeId) {
      const name = state().picture.nodes.get(id)?.name;
      if (name === undefined) return;
      run.actions.set({ agent: name });
      showRun();
    },
  };
}

/** `agent`, `agent-2`, …: the first that is not taken. */
function freeName(stem: string, taken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken(name)) return name;
  }
}
