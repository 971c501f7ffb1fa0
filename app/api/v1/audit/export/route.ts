import { respond } from '@/app/api/respond';
import { streamOf } from '@/app/api/stream-of';
import type { AuditEntry } from '@/lib/base/audit';
import { exportAudit } from '@/lib/server/audit';

/** The whole audit log, oldest first, as JSON lines. `npx callboard audit --check FILE` checks it. */
export const GET = respond(async (_request, _params, actor) => {
  return new Response(streamOf(lines(await exportAudit(actor))), {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.ndjson"',
    },
  });
});

async function* lines(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
