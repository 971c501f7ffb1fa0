import { addFunction } from '@/lib/cards/edit/new-function';
import { addServer, moveNodes } from '@/lib/graph/commands';
import type { NodeId, Point } from '@/lib/graph/graph';
import { connect, connectFunction } from '@/lib/graph/wires';
import type { Added } from './add-rows';
import type { annotationCommands } from './annotation-commands';
import { compose, type Step } from './compose';
import { type Editing, freeName } from './editing';
import type { hookCommands } from './hook-commands';
import type { PickedNode } from './node-choices';
import type { nodeCommands } from './node-commands';
import type { PlaceNew } from './place-new';
import { freeSpot } from './place-nodes';
import type { ProjectState } from './project-state';
import type { ProjectStore } from './project-store';
import type { wireCommands } from './wire-commands';

/** Where a picked node goes. */
export interface PickPlace {
  /** The place on the canvas, if one was chosen. Without it, a free place beside the source is taken. */
  readonly at: Point | undefined;
  /** The node where a wire to it begins. */
  readonly source: NodeId | undefined;
  /** The agent that gets a function or a hook. */
  readonly user: NodeId | undefined;
}

/** A function, by its file and its name. */
export interface CodeName {
  readonly file: string;
  readonly name: string;
}

type Others = Pick<ReturnType<typeof nodeCommands>, 'addAgent' | 'addNamedAgent'> &
  Pick<ReturnType<typeof wireCommands>, 'allowWorker'> &
  Pick<ReturnType<typeof annotationCommands>, 'addNote'> &
  Pick<ReturnType<typeof hookCommands>, 'addHook' | 'addNewHook'>;

/** Commands of the node picker. Each adds and connects in one undo step. */
export function pickCommands(editing: Editing, actions: ProjectStore['actions'], placeNew: PlaceNew, others: Others) {
  const { state, folder, apply } = editing;
  const add = createAdd(editing, actions, placeNew, others);

  const cardOf = (user: NodeId | undefined) => cardOfUser(state(), actions, user);

  function addFunctionFor(code: CodeName, user: NodeId, at: Point | undefined, isNew: boolean) {
    const id = `function:${code.file}:${code.name}`;
    const isShown = state().picture.nodes.has(id);
    const steps: Step[] = [
      (now) => (isNew ? addFunction(now, { ...code, kind: 'tool' }) : undefined),
      (now, parsed, graph) => connectFunction(now, parsed, graph, user, code),
      (now, parsed) =>
        at === undefined || isShown ? undefined : moveNodes(now, parsed, { [id]: freeSpot(at, state().points) }),
    ];
    if (at === undefined && !isShown) placeNew(id, user);
    if (apply(compose(folder(), steps), { label: `Add ${code.name}` })) editing.select(id);
  }

  function connectTo(id: NodeId, source: NodeId) {
    const name = state().picture.nodes.get(id)?.name;
    const steps: Step[] = [(now, parsed, graph) => connect(now, parsed, graph, source, id)];
    apply(compose(folder(), steps), { label: `Connect to ${name}` });
  }

  return {
    /** Adds a thing of this kind. Of a function and a hook it asks which. With `name`, a new agent has that name. */
    add,
    /** Adds or connects what was chosen in the node picker. */
    pick(picked: PickedNode, place: PickPlace) {
      switch (picked.pick) {
        case 'new':
          return add(picked.what, place);
        case 'code':
          return actions.show({ picking: { what: picked.what }, narrowPanel: 'canvas' });
        case 'node':
          return place.source === undefined ? editing.select(picked.id) : connectTo(picked.id, place.source);
        case 'user':
          return place.source === undefined ? undefined : connectTo(place.source, picked.id);
        case 'worker':
          return place.source === undefined ? undefined : others.allowWorker(place.source, picked.id);
        case 'function':
          if (cardOf(place.user) !== undefined) addFunctionFor(picked, place.user ?? '', place.at, false);
          return;
        case 'hook': {
          const card = cardOf(place.user);
          const code = { kind: 'code', file: picked.file, functionName: picked.name } as const;
          if (card !== undefined && others.addHook(card, code, { phase: 'around' })) editing.select(place.user ?? '');
          return;
        }
      }
    },
    /** Writes a function that does nothing yet, and adds it to an agent as a tool or as a hook. */
    pickNew(kind: 'function' | 'hook', code: CodeName, { user, at }: Pick<PickPlace, 'user' | 'at'>) {
      const card = cardOf(user);
      if (card === undefined || user === undefined) return;
      if (kind === 'function') addFunctionFor(code, user, at, true);
      else if (
        others.addNewHook(card, { kind: 'code', file: code.file, functionName: code.name }, { phase: 'around' })
      ) {
        editing.select(user);
      }
    },
  };
}

/** Returns what adds a thing of one kind, and connects it to the node where a wire begins. */
function createAdd(editing: Editing, actions: ProjectStore['actions'], placeNew: PlaceNew, others: Others) {
  const { state, folder, drawn, apply } = editing;

  function addServerFor({ at, source }: PickPlace) {
    const name = freeName('server', (taken) => taken in drawn().config.servers);
    const id = `server:${name}`;
    const position = at === undefined ? {} : { position: freeSpot(at, state().points) };
    if (at === undefined) placeNew(id, source);
    const steps: Step[] = [
      (now, parsed) => addServer(now, parsed, { name, command: 'npx', ...position }),
      (now, parsed, graph) => (source === undefined ? undefined : connect(now, parsed, graph, source, id)),
    ];
    editing.bear(id);
    if (!apply(compose(folder(), steps), { label: `Add ${name}` })) return;
    editing.select(id);
    actions.show({ renaming: id, narrowPanel: 'canvas' });
  }

  return function add(what: Added, place: PickPlace, name?: string) {
    switch (what) {
      case 'server':
        return addServerFor(place);
      case 'note':
        return others.addNote(place.at);
      case 'function':
      case 'hook':
        return actions.show({ picking: { what }, narrowPanel: 'canvas' });
      default:
        return name === undefined
          ? others.addAgent(place.at, what, place.source)
          : others.addNamedAgent(name, place.at, place.source);
    }
  };
}

/** Returns the card of the agent that shall get a function or a hook, or says that one is needed. */
function cardOfUser(
  { picture }: ProjectState,
  actions: ProjectStore['actions'],
  user: NodeId | undefined,
): string | undefined {
  const node = picture.nodes.get(user ?? '');
  if (node?.kind === 'agent' && !node.missing) return node.file;
  actions.notify({ tone: 'info', text: 'First select the agent that shall use it.' });
  return undefined;
}
