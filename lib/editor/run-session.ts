import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LeftOut } from '@/lib/base/left-out';
import type { ProjectParts } from '@/lib/cards/project/without-left-out';
import type { NodeId } from '@/lib/graph/graph';
import { openByLane } from '@/lib/trace/questions';
import { isActive } from '@/lib/trace/run-state';
import type { Trace } from '@/lib/trace/trace';
import type { KeptDock } from './kept-dock';
import { partsThere, toggledLeftOut } from './leave-out';
import { lostSessions } from './lost-sessions';
import { countLanes, emptyOverlay, type OverlayStore, type RunOverlay } from './run-overlay';
import type { EditorServices } from './services';

export interface RunSessionState {
  /** `undefined` stands for the entry agent. A deleted agent stays, because an undo may bring it back (`partsThere`). */
  readonly agent: string | undefined;
  readonly message: string;
  /** Empty if the cards and the configuration name the model. */
  readonly model: string;
  /** What the next run does without. What was deleted stays here, as the agent does. */
  readonly leftOut: readonly LeftOut[];
  readonly runId: string | undefined;
  /** `stopping` lasts until the run has ended or the request to stop it has failed. */
  readonly phase: 'idle' | 'saving' | 'starting' | 'started' | 'stopping';
  readonly error: string | undefined;
  /** True if the next run begins a conversation, or continues the one that goes on. */
  readonly keepsTalking: boolean;
  /** The conversation that the next run continues. Its agent stays. */
  readonly conversation: string | undefined;
  /** True if the run that was shown was deleted. */
  readonly isGone: boolean;
}

/** The values with which the dock opens. */
export interface RunStart {
  readonly agent?: string | undefined;
  readonly message?: string;
  readonly model?: string | undefined;
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** The run to show: the running one, otherwise the last. */
  readonly runId?: string | undefined;
  /** The run that the first run of this session repeats. */
  readonly againOf?: string | undefined;
  readonly conversation?: string | undefined;
}

/** A run that a person may want to repeat. */
export interface AskedRun {
  readonly id: string;
  readonly agent: string | undefined;
  readonly message: string;
  readonly model: string | undefined;
  readonly leftOut?: readonly LeftOut[] | undefined;
}

/**
 * Returns the values with which the dock opens: those that this window kept, unless a run is to be repeated since then, then those of
 * that run, otherwise the last message, otherwise the example of the project. No agent is chosen if the run was of the entry agent, or
 * of one that the project no longer has.
 */
export function runStart(
  project: {
    readonly entry: string | undefined;
    readonly agents: readonly string[];
    readonly example: string | undefined;
  },
  again: AskedRun | undefined,
  last: { readonly id: string; readonly message: string | undefined } | undefined,
  kept?: KeptDock,
): RunStart {
  if (kept !== undefined && (again === undefined || again.id === kept.again)) {
    const { message, model, leftOut, conversation } = kept;
    const agent = project.agents.includes(kept.agent ?? '') ? kept.agent : undefined;
    return { agent, message, model, leftOut, conversation, runId: kept.runId ?? last?.id, againOf: again?.id };
  }
  const agent = again?.agent;
  return {
    agent: agent === undefined || agent === project.entry || !project.agents.includes(agent) ? undefined : agent,
    message: again?.message ?? last?.message ?? project.example ?? '',
    model: again?.model,
    leftOut: again?.leftOut,
    runId: last?.id,
    againOf: again?.id,
  };
}

export type RunSession = ReturnType<typeof createRunSession>;

/** The state of the run dock: the form, and the shown run. It starts and stops runs, and follows the events of one. */
export function createRunSession(
  services: Pick<EditorServices, 'startRun' | 'stopRun'>,
  overlay: OverlayStore,
  /** Saves unsaved work. Resolves to false if that failed. */
  save: () => Promise<boolean>,
  opened: RunStart = {},
  /** Shows what the folder would start or call. Resolves to true if that was confirmed. */
  askTrust: () => Promise<boolean> = async () => false,
  /** Returns the project as it is now, to leave out only what it has. `undefined` if that is not known. */
  projectNow: () => ProjectParts | undefined = () => undefined,
) {
  const store = createStore<RunSessionState>(() => ({
    agent: opened.agent,
    message: opened.message ?? '',
    model: opened.model ?? '',
    leftOut: opened.leftOut ?? [],
    runId: opened.runId,
    phase: opened.runId === undefined ? 'idle' : 'started',
    error: undefined,
    keepsTalking: opened.conversation !== undefined,
    conversation: opened.conversation,
    isGone: false,
  }));

  let { againOf } = opened;
  const actions = {
    ...formActions(store),
    ...talkActions(store),
    async start() {
      const form = store.getState();
      const { phase, message, model, keepsTalking, conversation } = form;
      if (phase === 'saving' || phase === 'starting') return;
      if (conversation !== undefined && isActive(overlay.getState().status)) {
        store.setState({ error: 'Wait for the answer, or stop the run. Then send the next message.' });
        return;
      }
      if (message.trim() === '') {
        store.setState({ error: 'Write a message for the agent first.' });
        return;
      }
      store.setState({ phase: 'saving', error: undefined });
      if (!(await save())) {
        const error = 'The project is not saved, so nothing was started. Save it, then run.';
        store.setState({ phase: 'idle', error });
        return;
      }
      store.setState({ phase: 'starting' });
      const { agent, leftOut } = partsThere(projectNow(), form);
      const started = await services.startRun({
        agent,
        message,
        model: model.trim() === '' ? undefined : model.trim(),
        // Without a list, a run that is made again does without what the old run did without.
        ...((leftOut.length > 0 || againOf !== undefined) && { leftOut }),
        ...(againOf !== undefined && { again: { kind: 'again', run: againOf } }),
        ...(keepsTalking && { conversationId: conversation ?? 'new' }),
      });
      if (!started.ok) {
        store.setState({ phase: 'idle', error: started.notTrusted ? undefined : started.message });
        if (started.notTrusted && (await askTrust())) await actions.start();
        return;
      }
      // A later run is no repetition of that one.
      againOf = undefined;
      overlay.setState({ ...emptyOverlay, runId: started.runId, status: 'queued' }, true);
      // A message was said once, and the next one is another. A trial is mostly repeated.
      const next = keepsTalking ? { conversation: started.conversationId, message: '' } : {};
      store.setState({ phase: 'started', runId: started.runId, isGone: false, ...next });
    },
    async stop() {
      const { runId, phase } = store.getState();
      if (runId === undefined || phase === 'stopping' || !isActive(overlay.getState().status)) return;
      store.setState({ phase: 'stopping', error: undefined });
      const fault = await services.stopRun(runId);
      if (fault !== undefined && store.getState().runId === runId) store.setState({ phase: 'started', error: fault });
    },
    ...followActions(store, overlay),
  };
  return { store, actions };
}

/** What a person fills in for the next run. */
function formActions(store: StoreApi<RunSessionState>) {
  return {
    set(part: Partial<Pick<RunSessionState, 'agent' | 'message' | 'model' | 'leftOut'>>) {
      store.setState({ ...part, error: undefined });
    },
    /** Keeps the chosen agent, and what is left out, when agents and servers get other names. */
    followNames(renamed: ReadonlyMap<NodeId, NodeId>) {
      const nameOf = (kind: 'agent' | 'server', name: string) =>
        renamed.get(`${kind}:${name}`)?.slice(kind.length + 1) ?? name;
      const { agent, leftOut } = store.getState();
      store.setState({
        agent: agent === undefined ? undefined : nameOf('agent', agent),
        leftOut: leftOut.map((one) => {
          if (one.kind === 'tool') return { ...one, server: nameOf('server', one.server) };
          return one.kind === 'function' ? one : { ...one, name: nameOf(one.kind, one.name) };
        }),
      });
    },
    /** Leaves things out of the next run, or takes them back if all of them are left out. */
    toggleLeftOut(...ones: readonly LeftOut[]) {
      store.setState(({ leftOut }) => ({ leftOut: toggledLeftOut(leftOut, ones), error: undefined }));
    },
  };
}

/** Which run is shown, and what it does. */
function followActions(store: StoreApi<RunSessionState>, overlay: OverlayStore) {
  return {
    /** Shows another run of the project. One that goes on keeps running. */
    showRun(runId: string) {
      if (store.getState().runId === runId) return;
      overlay.setState({ ...emptyOverlay, runId }, true);
      store.setState({ runId, phase: 'started', error: undefined, isGone: false });
    },
    /** Shows no run any more, because this one was deleted. */
    forget(runId: string) {
      if (store.getState().runId !== runId) return;
      overlay.setState(emptyOverlay, true);
      store.setState({ runId: undefined, phase: 'idle', conversation: undefined, isGone: true });
    },
    /** Takes over the state of the shown run, for the canvas. */
    watch(runId: string, trace: Trace, status: RunOverlay['status']) {
      overlay.setState(overlayOf(overlay.getState(), runId, trace, status), true);
      const { phase, runId: shown } = store.getState();
      if (phase === 'stopping' && shown === runId && !isActive(status)) store.setState({ phase: 'started' });
    },
  };
}

/** What a person does with the conversation of the dock. */
function talkActions(store: StoreApi<RunSessionState>) {
  return {
    keepTalking(keepsTalking: boolean) {
      store.setState(keepsTalking ? { keepsTalking } : { keepsTalking, conversation: undefined });
    },
    /** The next run begins a conversation. */
    beginAnew() {
      store.setState({ conversation: undefined, message: '', error: undefined });
    },
  };
}

function overlayOf(before: RunOverlay, runId: string, trace: Trace, status: RunOverlay['status']): RunOverlay {
  return {
    runId,
    status,
    agents: countLanes(trace.lanes, before.agents, openByLane(trace)),
    hooks: new Map(trace.hookTotals),
    failedStarts: trace.run.failedStarts,
    lostSessions: lostSessions(trace),
  };
}
