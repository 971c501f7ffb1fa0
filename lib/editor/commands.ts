import type { KnownServers } from '@/lib/base/known-servers';
import type { NodeId } from '@/lib/graph/graph';
import { hookChain } from '@/lib/graph/hook-chain';
import { annotationCommands } from './annotation-commands';
import { cardCommands } from './card-commands';
import { clipboardCommands } from './clipboard-commands';
import { createEditing } from './editing';
import { fileCommands } from './file-commands';
import { functionCommands } from './function-commands';
import type { HookBench } from './hook-bench';
import { hookChoiceOf } from './hook-choice';
import { hookCommands } from './hook-commands';
import { memberCommands } from './member-commands';
import { nodeCommands } from './node-commands';
import { pickCommands } from './pick-commands';
import { createPlaceNew } from './place-new';
import type { ProjectStore } from './project-store';
import type { RunSession } from './run-session';
import { type ServerMemory, serverCommands } from './server-commands';
import type { ToolBench } from './tool-bench';
import { choiceAt, type ToolPlace } from './tool-place';
import { type Uploads, uploadCommands } from './upload-commands';
import { wireCommands } from './wire-commands';

export type Commands = ReturnType<typeof createCommands>;

/** The dialogs in which hooks and tools are tried. */
export interface Benches {
  readonly hooks: Pick<HookBench['actions'], 'open'>;
  readonly tools: Pick<ToolBench['actions'], 'open'>;
  /** Returns what is known of the servers now. */
  known(): KnownServers;
}

/**
 * The commands behind gestures, forms and menus. Each makes one change of files. A refusal becomes a notice with the
 * sentence of the rule that refused it.
 */
export function createCommands(
  project: ProjectStore,
  run: RunSession,
  /** Puts the cursor into the message of the run dock, which has just been shown. */
  focusRunMessage: () => void,
  /** Hears what concerns the tested servers. */
  servers: ServerMemory = { renamed() {}, accept() {} },
  benches?: Benches,
  uploads: Uploads = { uploadBytes: async () => ({ ok: false, message: 'There is no server here.' }) },
) {
  const { actions } = project;
  const editing = createEditing(project);
  const placeNew = createPlaceNew(editing, actions);

  function showRun() {
    actions.show({ dockTab: 'run', narrowPanel: 'dock' });
    focusRunMessage();
  }

  const nodes = nodeCommands(editing, actions, placeNew);
  const annotations = annotationCommands(editing, actions);
  const hooks = hookCommands(editing, actions);
  const wires = wireCommands(editing, actions);
  const files = fileCommands(editing, actions);
  const clipboard = clipboardCommands(editing, actions, nodes.remove);

  return {
    ...nodes,
    ...annotations,
    ...hooks,
    ...pickCommands(editing, actions, placeNew, { ...nodes, ...annotations, ...hooks, ...wires }),
    ...memberCommands(editing, placeNew),
    ...wires,
    ...clipboard,
    ...serverCommands(editing, actions, placeNew, servers),
    ...cardCommands(editing),
    ...files,
    ...uploadCommands(actions, uploads, files.addFiles, clipboard.bringFolder),
    ...functionCommands(editing, actions),
    /** Opens the hook bench for an agent: for all its hooks, or for the entry of its chain with this id. */
    openHookBench(agent: string, entryId?: string) {
      const drawn = editing.drawn();
      const card = drawn.cards.find(({ name }) => name === agent);
      const entry = card && hookChain(card, drawn).find(({ id }) => id === entryId);
      benches?.hooks.open(agent, entry && hookChoiceOf(entry));
    },
    /** Opens the tool bench for a tool, or says why there is none to try. */
    openToolBench(place: ToolPlace) {
      const choice = choiceAt(editing.drawn(), benches?.known() ?? {}, place);
      if (typeof choice === 'string') actions.notify({ tone: 'info', text: choice });
      else benches?.tools.open(choice);
    },
    /** Starts the run that the dock's form describes. Without a message, the dock says that one is missing. */
    run() {
      showRun();
      void run.actions.start();
    },
    runAgent(id: NodeId) {
      const name = editing.state().picture.nodes.get(id)?.name;
      if (name === undefined) return;
      run.actions.set({ agent: name });
      showRun();
    },
  };
}
