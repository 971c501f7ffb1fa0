import { changesBetween } from './document';
import type { ProjectStore } from './project-store';
import type { Reported, TaskOptions } from './services';

/** Asks workers for one piece of work at a time. */
export interface Asking<Asked, Report> {
  /** Begins work that `stop` ends. What was under way is stopped. */
  begin(): AbortSignal;
  stop(): void;
  /**
   * Asks a worker, with the files as they are edited now. If the folder is not trusted, a person is asked, and the worker again
   * after a yes; without `mayAsk` the refusal is the answer.
   */
  ask(asked: Asked, signal: AbortSignal, mayAsk?: boolean): Promise<Reported<Report>>;
}

export function createAsking<Asked, Report>(
  service: (asked: Asked, options: TaskOptions) => Promise<Reported<Report>>,
  project: ProjectStore,
  /** Shows what the folder would start or call. Resolves to true if that was confirmed. */
  askTrust: () => Promise<boolean>,
): Asking<Asked, Report> {
  let current: AbortController | undefined;
  return {
    begin() {
      current?.abort();
      current = new AbortController();
      return current.signal;
    },
    stop: () => current?.abort(),
    async ask(asked, signal, mayAsk = true) {
      // Without a wait in the usual case, so that the work has begun when this returns.
      const refused = hasBrought(project) ? await saveBrought(project) : undefined;
      if (refused !== undefined) return refused;
      const { saved, document } = project.store.getState();
      const changes = changesBetween(saved.folder, document.folder);
      const answer = await service(asked, { changes, signal });
      if (answer.ok || !answer.notTrusted || signal.aborted || !mayAsk) return answer;
      // The list to confirm is that of the saved files.
      if (!(await project.actions.save()) || signal.aborted || !(await askTrust()) || signal.aborted) return answer;
      return await service(asked, { signal });
    },
  };
}

/** True if something came from elsewhere and is not saved. A project asks about what is saved. */
export function hasBrought({ store }: Pick<ProjectStore, 'store'>): boolean {
  return store.getState().brought > 0;
}

/** Saves what came from elsewhere before a worker tries the files. Resolves to a refusal if that failed. */
export async function saveBrought({
  actions,
}: Pick<ProjectStore, 'actions'>): Promise<Extract<Reported<never>, { ok: false }> | undefined> {
  if (await actions.save()) return undefined;
  return { ok: false, message: 'The project is not saved, so nothing was started. Save it, then try again.' };
}
