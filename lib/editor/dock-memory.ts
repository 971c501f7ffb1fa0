import { parseJson } from '@/lib/base/json';
import { type KeptDock, keptDock } from './kept-dock';
import type { ProjectStore } from './project-store';
import type { RunSession } from './run-session';

/** The part of `sessionStorage` that the dock needs. Each window has its own. */
export interface DockStorage extends Pick<Storage, 'getItem' | 'setItem'> {}

const keyOf = (projectId: string, draft: string) => `callboard:dock:${projectId}${draft === 'main' ? '' : `~${draft}`}`;

/** Returns what is kept for a draft of a project. Anything of another form is ignored. `storage` may throw. */
export function readDock(storage: () => DockStorage, projectId: string, draft: string): KeptDock | undefined {
  try {
    return keptDock.safeParse(parseJson(storage().getItem(keyOf(projectId, draft)) ?? '')).data;
  } catch {
    // Without storage the dock begins anew on each page.
    return undefined;
  }
}

/** Keeps what the dock shows from its first change on, until the returned function is called. `storage` may throw. */
export function keepDock(
  storage: () => DockStorage,
  { store: project }: ProjectStore,
  { store: run }: Pick<RunSession, 'store'>,
  /** The run whose repetition was asked for. */
  again: string | undefined,
): () => void {
  const keep = () => {
    const { projectId, draft, dockTab: tab, narrowPanel } = project.getState();
    const { message, agent, model, leftOut, runId, conversation } = run.getState();
    const isShown = narrowPanel === 'dock';
    const kept: KeptDock = { message, agent, model, leftOut, runId, conversation, again, tab, isShown };
    try {
      storage().setItem(keyOf(projectId, draft), JSON.stringify(kept));
    } catch {
      // The storage is full or forbidden.
    }
  };
  const stops = [
    run.subscribe((state, before) => {
      const { message, agent, model, leftOut, runId, conversation } = before;
      const isSame = state.message === message && state.agent === agent && state.model === model;
      if (!isSame || state.leftOut !== leftOut || state.runId !== runId || state.conversation !== conversation) keep();
    }),
    project.subscribe((state, before) => {
      if (state.dockTab !== before.dockTab || state.narrowPanel !== before.narrowPanel) keep();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
