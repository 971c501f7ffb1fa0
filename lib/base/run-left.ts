/**
 * The reason of an aborted signal when a worker hands its run over: the run is suspended, or another worker continues it. What the run
 * began at a server, such as a task, must then not be cancelled.
 */
export class RunLeft extends Error {}

/** True if the signal aborted because the run was handed over, and not because it was stopped. */
export function hasLeft({ reason }: AbortSignal): boolean {
  return reason instanceof RunLeft;
}
