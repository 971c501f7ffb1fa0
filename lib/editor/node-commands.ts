import { ok } from '@/lib/base/result';
import { normaliseName } from '@/lib/cards/agent-name';
import type { CardType } from '@/lib/cards/card';
import { definitionLine } from '@/lib/cards/edit/new-function';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import { type Alignment, type Axis, align, distribute, onGrid, placesOf } from '@/lib/graph/arrange';
import { addAgent, moveNodes } from '@/lib/graph/commands';
import type { NodeId, Point } from '@/lib/graph/graph';
import { canvasBoxes } from '@/lib/graph/group-frames';
import { removeNodes } from '@/lib/graph/removal';
import { connect } from '@/lib/graph/wires';
import { stemOf } from './agent-kinds';
import { compose, type Step } from './compose';
import { type Editing, freeName } from './editing';
import { renameWithFile } from './follow-agent';
import type { PlaceNew } from './place-new';
import { freeSpot } from './place-nodes';
import type { ProjectStore } from './project-store';
import { removedRules } from './removed-rules';

/** Commands that add, name, move and remove agents. */
export function nodeCommands(editing: Editing, actions: ProjectStore['actions'], placeNew: PlaceNew) {
  const { state, folder, drawn, apply, applyOne } = editing;

  function addAgentAt(name: string, type: CardType, at: Point | undefined, parent: NodeId | undefined): boolean {
    const position = at === undefined ? undefined : freeSpot(at, state().points);
    const id = `agent:${name}`;
    if (position === undefined && !state().picture.nodes.has(id)) placeNew(id, parent);
    const steps: Step[] = [
      (now, parsed) => addAgent(now, parsed, { name, type, ...(position === undefined ? {} : { position }) }),
      (now, parsed, graph) => (parent === undefined ? undefined : connect(now, parsed, graph, parent, id)),
    ];
    editing.bear(id);
    if (!apply(compose(folder(), steps), { label: `Add ${name}` })) return false;
    editing.select(id);
    return true;
  }

  function addNewAgent(type: CardType, at: Point | undefined, parent: NodeId | undefined) {
    const name = freeName(stemOf(type), (taken) => drawn().cards.some((card) => card.name === taken));
    if (addAgentAt(name, type, at, parent)) actions.show({ renaming: `agent:${name}`, narrowPanel: 'canvas' });
  }

  return {
    /** Renames an agent, and its file if that has its name. Calls `done` after it, which may be after a question. */
    rename(from: string, to: string, file?: string, done?: () => void) {
      const name = normaliseName(to);
      if (from === name || name === '') return;
      const renamed = renameWithFile(folder(), from, name, file);
      apply(renamed.ok ? ok(renamed.value.changes) : renamed, { label: `Rename ${from} to ${name}` });
      if (renamed.ok && renamed.value.said !== undefined) actions.notify({ tone: 'info', text: renamed.value.said });
      done?.();
    },
    /** Begins to rename an agent or an MCP server. */
    startRename(id: NodeId) {
      const node = state().picture.nodes.get(id);
      // A server that no file configures has its name in cards, where it can be corrected.
      if (isAnnotation(id) || node?.kind === 'server' || (node?.kind === 'agent' && !node.missing))
        actions.show({ renaming: id, narrowPanel: 'canvas' });
    },
    open(id: NodeId) {
      const node = state().picture.nodes.get(id);
      actions.select([id]);
      if (node?.kind === 'agent' && !node.missing) actions.openFile(node.file);
      else if (node?.kind === 'function' && !node.missing) {
        const line = definitionLine(folder(), node.file, node.name) ?? 1;
        actions.openFile(node.file, { line, column: 1 }, id);
      } else actions.show({ inspectorTab: 'properties', narrowPanel: 'inspector' });
    },
    /** Calls `removed` when it is done, which may be after a question. */
    remove(ids: readonly NodeId[], removed?: () => void) {
      const [first, ...others] = ids;
      if (first === undefined) return;
      const name = state().picture.nodes.get(first)?.name ?? first.replace(/:.*/s, '');
      const label = others.length === 0 ? `Delete ${name}` : `Delete ${ids.length}`;
      const before = drawn();
      if (!applyOne(removeNodes(folder(), before, state().picture.graph, ids), { label })) return;
      const what = others.length === 0 ? `'${name}'` : 'what was deleted';
      const text = removedRules(what, before, drawn());
      if (text !== undefined) actions.notify({ tone: 'info', text });
      removed?.();
    },
    ...placeCommands(editing),
    /** Adds an agent. With `parent`, it becomes its child or member in the same step. */
    addAgent(at: Point | undefined, type: CardType = 'agent', parent?: NodeId) {
      addNewAgent(type, at, parent);
    },
    /** Adds an agent with a name that no card has. With `parent`, it becomes its child or member in the same step. */
    addNamedAgent(name: string, at: Point | undefined, parent?: NodeId) {
      if (addAgentAt(name, 'agent', at, parent)) actions.show({ narrowPanel: 'canvas' });
    },
    addChild(parent: NodeId) {
      addNewAgent('agent', undefined, parent);
    },
    /** Creates the card of an agent that other cards refer to already. */
    createMissing(name: string) {
      addAgentAt(name, 'agent', undefined, undefined);
    },
  };
}

/** Commands that change where nodes and notes are. */
function placeCommands({ state, folder, drawn, applyOne }: Editing) {
  return {
    /** Moves nodes to new places, in canvas units, as one undo step. */
    move(points: Readonly<Record<NodeId, Point>>) {
      const count = Object.keys(points).length;
      applyOne(moveNodes(folder(), drawn(), points), { label: count === 1 ? 'Move' : `Move ${count}` });
    },
    /** Moves the selection by steps of the grid, and onto it. Moves in quick succession are one undo step. */
    nudge(by: Point) {
      const { selection, points, picture } = state();
      const places = placesOf(points, picture.drawn.settings.canvas, selection);
      if (places.size === 0) return;
      const moved = Object.fromEntries([...places].map(([id, at]) => [id, onGrid(at, by)]));
      applyOne(moveNodes(folder(), drawn(), moved), { label: 'Move', burst: `move:${selection.join()}` });
    },
    /** Puts the selected nodes and notes in line, or makes the gaps between them equal. */
    arrange(how: Alignment | Axis) {
      const { selection, points, picture } = state();
      const boxes = canvasBoxes(picture.graph, points, picture.drawn.settings.canvas.notes);
      const chosen = new Map([...boxes].filter(([id]) => selection.includes(id)));
      const isAxis = how === 'across' || how === 'down';
      const moved = isAxis ? distribute(chosen, how) : align(chosen, how);
      const label = isAxis ? `Distribute ${chosen.size}` : `Align ${chosen.size}`;
      if (chosen.size > 1) applyOne(moveNodes(folder(), drawn(), moved), { label });
    },
    /** Gives every node a new place, as one undo step. */
    async tidy() {
      const { layoutGraph } = await import('@/lib/graph/layout');
      const points = await layoutGraph(state().picture.graph, {});
      applyOne(moveNodes(folder(), drawn(), points), { label: 'Tidy' });
    },
  };
}
