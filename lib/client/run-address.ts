/** Returns the path of a run in the HTTP API. */
export function runAddress(runId: string): string {
  return `/api/v1/runs/${encodeURIComponent(runId)}`;
}

/** Returns the path of a run's columns. The page asks the browser for it before its scripts do, by this very path. */
export function timelineAddress(runId: string): string {
  return `${runAddress(runId)}/timeline`;
}
