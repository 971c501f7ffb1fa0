import * as z from 'zod/mini';
import { decisions, pendingKinds, pendingStatuses } from '@/lib/base/pending';
import type { GrantInfo, PendingDetail, PendingInfo, PendingPage } from '@/lib/base/pending-info';
import { getJson } from './ask-shape';
import { openLasting } from './lasting-stream';

/** Only the fields that lists need are checked. The others are trusted, because the server wrote them. */
const outline = z.looseObject({
  id: z.string(),
  kind: z.enum(pendingKinds),
  status: z.enum(pendingStatuses),
  run: z.string(),
  project: z.string(),
  path: z.string(),
  sentence: z.string(),
  askedAt: z.number(),
});
const item = z.custom<PendingInfo>((value) => outline.safeParse(value).success);
const page: z.ZodMiniType<PendingPage> = z.object({
  items: z.array(item),
  next: z.nullable(z.string()),
  open: z.number(),
});

const wholeOutline = z.looseObject({
  question: z.looseObject({ what: z.enum(pendingKinds) }),
  decisions: z.array(z.enum(decisions)),
});
const whole = z.custom<PendingDetail>(
  (value) => outline.safeParse(value).success && wholeOutline.safeParse(value).success,
);

const grants = z.object({
  grants: z.array(
    z.custom<GrantInfo>(
      (value) => z.looseObject({ id: z.string(), scope: z.string(), tool: z.string() }).safeParse(value).success,
    ),
  ),
});

/** Returns a page of questions. `query` is that of `GET /api/v1/pending`. Rejects with a `RequestError`. */
export async function listPending(query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PendingPage> {
  return await getJson(`/api/v1/pending?${new URLSearchParams(query)}`, page, signal);
}

/** Returns a question, whole. Rejects with a `RequestError`. */
export async function readPending(id: string, signal?: AbortSignal): Promise<PendingDetail> {
  return await getJson(`/api/v1/pending/${encodeURIComponent(id)}`, whole, signal);
}

const wholeItems = z.object({ items: z.array(whole) });

/** Returns several questions, whole. Those that are gone are left out. Rejects with a `RequestError`. */
export async function readPendingDetails(
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly PendingDetail[]> {
  return (await getJson(`/api/v1/pending/details?ids=${ids.map(encodeURIComponent).join(',')}`, wholeItems, signal))
    .items;
}

/** Returns the remembered approvals of a project, or of all. Rejects with a `RequestError`. */
export async function listGrants(project?: string): Promise<readonly GrantInfo[]> {
  const query = project === undefined ? '' : `?${new URLSearchParams({ project })}`;
  return (await getJson(`/api/v1/grants${query}`, grants)).grants;
}

/**
 * Calls `onOpen` with the number of open questions now, and whenever one was asked or has ended. `query` may have `run` and
 * `project`. Returns an unsubscribe function.
 */
export function watchPending(query: Readonly<Record<string, string>>, onOpen: (open: number) => void): () => void {
  return openLasting(`/api/v1/pending/stream?${new URLSearchParams(query)}`, (stream) => {
    stream.addEventListener('message', ({ data }) => {
      const message = z.safeParse(z.object({ open: z.number() }), JSON.parse(String(data)));
      if (message.success) onOpen(message.data.open);
    });
  });
}
