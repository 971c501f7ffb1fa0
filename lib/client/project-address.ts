/** Returns the address of a project in the HTTP API. */
export function projectAddress(id: string): string {
  return `/api/v1/projects/${encodeURIComponent(id)}`;
}

/** Returns the address of bytes that a project has, or had within 30 days. */
export function bytesHref(id: string, hash: string): string {
  return `${projectAddress(id)}/bytes/${hash}`;
}

/** Returns the address of a project's files as a zip. */
export function exportHref(id: string): string {
  return `${projectAddress(id)}/files?format=zip`;
}

/** Returns the address of the page on which people talk with a project, at a conversation or a new one. */
export function chatHref(id: string, conversation?: string): string {
  const query = conversation === undefined ? '' : `?${new URLSearchParams({ conversation })}`;
  return `/p/${encodeURIComponent(id)}/chat${query}`;
}

/** Returns the address of the editor of a draft. */
export function editorHref(id: string, draft: string): string {
  return `/p/${encodeURIComponent(id)}${draft === 'main' ? '' : `?${new URLSearchParams({ draft })}`}`;
}

/** Returns the address of the list of a project's reviews, or of one of them. */
export function reviewsHref(id: string, number?: number): string {
  return `/p/${encodeURIComponent(id)}/reviews${number === undefined ? '' : `/${number}`}`;
}

/** Returns the address of the page of a project's revisions. */
export function revisionsHref(id: string): string {
  return `/p/${encodeURIComponent(id)}/revisions`;
}

/** Returns the address of the page that says what becomes of each file of a project. */
export function importReportHref(id: string): string {
  return `/p/${encodeURIComponent(id)}/import-report`;
}

/** Returns the address of the page of a project's tests. */
export function testsHref(id: string): string {
  return `/p/${encodeURIComponent(id)}/tests`;
}

/** Returns the address of the page that lists who works on a project. */
export function membersHref(id: string): string {
  return `/p/${encodeURIComponent(id)}/members`;
}

/** Returns the address of Settings with the secrets of a project. */
export function secretsHref(id: string): string {
  return `/settings/secrets?${new URLSearchParams({ secrets: id })}`;
}

/** Returns the address of the page of a project's schedules and webhooks. */
export function triggersHref(id: string): string {
  return `/p/${encodeURIComponent(id)}/triggers`;
}

/** Returns the address of the list of a project's runs, or of those that match a filter. */
export function runsOfProjectHref(id: string, filter: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(filter).toString();
  return `/p/${encodeURIComponent(id)}/runs${query === '' ? '' : `?${query}`}`;
}

/** Returns the address of the rules that a project must meet. */
export function policyHref(id: string): string {
  return `/settings/policy?${new URLSearchParams({ project: id })}`;
}

/** Returns the address of the editor of a draft with a dialog open. */
export function editorDialogHref(id: string, draft: string, dialog: 'export' | 'publish'): string {
  const home = editorHref(id, draft);
  return `${home}${home.includes('?') ? '&' : '?'}${new URLSearchParams({ open: dialog })}`;
}

/** Returns the query of a request about a draft, from `?` on: empty for the main draft without anything more. */
export function queryOfDraft(draft: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...more, ...(draft !== undefined && { draft }) }).toString();
  return query === '' ? '' : `?${query}`;
}
