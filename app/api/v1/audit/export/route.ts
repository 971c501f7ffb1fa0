import { respond } from '@/app/api/respond';
import { streamOf } from '@/app/api/stream-of';
import type { Actor } from '@/lib/base/actor';
import { exportAudit } from '@/lib/server/audit';

/** The whole audit log, oldest first, as JSON lines. `npx callboard audit --check FILE` checks it. */
export const GET = respond(async (_request, _params, actor) => {
  return new Response(streamOf(lines(actor)), {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.ndjson"',
    },
  });
});

async function* lines(actor: Actor): AsyncGenerator<string> {
  for await (const page of exportAudit(actor)) yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
