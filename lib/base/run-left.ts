/**
 * The reason of an aborted signal when the run leaves this process and goes on in another one, or later. What was begun elsewhere for
 * it must then not be undone.
 */
export class RunLeft extends Error {}

/** True if the run has left, and false if it was stopped or goes on here. */
export function hasLeft({ reason }: AbortSignal): boolean {
  return reason instanceof RunLeft;
}
