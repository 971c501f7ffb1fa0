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
