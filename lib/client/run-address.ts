/** Returns the path of a run in the HTTP API. On the page of a share link, what the link shows is below that page. */
export function runAddress(runId: string): string {
  const shared = sharedPage();
  return shared === undefined ? `/api/v1/runs/${encodeURIComponent(runId)}` : `${shared}/api`;
}

/** Returns the path of the page of a run. A share link has a page of its own. */
export function runPage(runId: string): string {
  return sharedPage() ?? `/r/${encodeURIComponent(runId)}`;
}

/** Returns the path of the page if it shows a run by a share link. The server knows no address here, and renders no link. */
function sharedPage(): string | undefined {
  return /^\/share\/run\/[^/]+/.exec(globalThis.location?.pathname ?? '')?.[0];
}

/** Returns the path of a run's columns. The page asks the browser for it before its scripts do, by this very path. */
export function timelineAddress(runId: string, allSpans = false): string {
  return `${runAddress(runId)}/timeline${allSpans ? '?spans=all' : ''}`;
}

/** Returns the address of the page of a correlation id. `run` is the run from which somebody comes. */
export function runGroupHref(correlationId: string, run?: string): string {
  return `/runs/group?${new URLSearchParams({ id: correlationId, ...(run !== undefined && { run }) })}`;
}
