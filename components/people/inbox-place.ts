import { type PendingStatus, pendingStatuses } from '@/lib/base/pending';

/** What the inbox shows, as its address says it. */
export interface InboxPlace {
  readonly status: PendingStatus | 'all';
  readonly run?: string | undefined;
  readonly project?: string | undefined;
  /** The chosen question. */
  readonly item?: string | undefined;
}

/** Reads an address. What is not known in it is left out. */
export function inboxPlace(params: URLSearchParams): InboxPlace {
  const asked = params.get('status');
  return {
    status: ([...pendingStatuses, 'all'] as const).find((each) => each === asked) ?? 'open',
    run: params.get('run') ?? undefined,
    project: params.get('project') ?? undefined,
    item: params.get('item') ?? undefined,
  };
}

/** Returns the address of a place. */
export function inboxAddress({ status, run, project, item }: InboxPlace): string {
  const params = new URLSearchParams();
  if (status !== 'open') params.set('status', status);
  for (const [name, value] of Object.entries({ run, project, item })) if (value !== undefined) params.set(name, value);
  const query = params.toString();
  return query === '' ? '/inbox' : `/inbox?${query}`;
}
