'use client';

import { TriangleAlert } from 'lucide-react';
import { VisibleText } from '@/components/ui/visible-text';
import type { PendingQuestion } from '@/lib/base/pending';
import { hostOf, secretFields } from '@/lib/base/server-form';

/** Shows what a server wants of a person: its whole text, the whole address, and what to be careful about. */
export function ServerWords({ question: { server, form } }: { readonly question: PendingQuestion }) {
  if (server === undefined) return null;
  const { serverName, message, url, waits } = server;
  const secrets = secretFields(form);
  return (
    <section aria-label={`Server ${serverName}`} className="flex flex-col gap-2">
      {message !== undefined && message !== '' && (
        <p className="whitespace-pre-wrap break-words rounded border bg-sunken px-3 py-2 text-ink text-sm">
          <VisibleText text={message} use="prose" />
        </p>
      )}
      {url !== undefined && (
        <p className="text-ink text-sm">
          <span className="font-semibold">
            <VisibleText text={hostOf(url)} dir="ltr" />
          </span>
          <span className="block break-all font-mono text-muted text-xs">
            <VisibleText text={url} dir="ltr" />
          </span>
          <span className="text-muted text-xs">
            Opened in a new tab when you choose “Open link”. Callboard has not opened it, and does not see what you do
            there.
          </span>
        </p>
      )}
      {secrets.length > 0 && (
        <p className="flex gap-2 text-sm text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            <VisibleText text={`It asks for ${secrets.join(', ')}.`} />{' '}
            {`Give no passwords or keys in a form: the answer goes to the server as text, and is kept with the run.`}
          </span>
        </p>
      )}
      {waits && (
        <p className="text-muted text-xs">
          The tool waits for the answer. Most servers give up after 60 seconds; the question then closes by itself.
        </p>
      )}
    </section>
  );
}
