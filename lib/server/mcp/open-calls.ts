import type { ProjectId, RunId } from '@/lib/base/ids';

/** A call of a program that has no answer yet. Ids of requests are unique in a session only. */
export interface ProgramCall {
  readonly by: string;
  readonly project: ProjectId;
  readonly session: string | undefined;
  readonly request: string | number;
}

/** Which run belongs to which open call of this process, so that a program can cancel it. */
class OpenCalls {
  private readonly runs = new Map<string, RunId>();

  /** Remembers a call until the returned function is called. A call without a session cannot be cancelled by its id. */
  note(call: ProgramCall, run: RunId): () => void {
    if (call.session === undefined) return () => undefined;
    const key = keyOf(call);
    this.runs.set(key, run);
    return () => void this.runs.delete(key);
  }

  /** The run of an open call; `undefined` if the call has ended, or another process has it. */
  find(call: ProgramCall): RunId | undefined {
    return call.session === undefined ? undefined : this.runs.get(keyOf(call));
  }
}

function keyOf({ by, project, session, request }: ProgramCall): string {
  return JSON.stringify([by, project, session, request]);
}

export const callsOfPrograms = new OpenCalls();
