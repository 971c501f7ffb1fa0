'use client';

import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import type { EventCache } from '@/lib/client/event-cache';
import { partPages } from '@/lib/client/run-source';
import type { ShortEvent } from '@/lib/trace/short-event';
import type { RunNote, Trace } from '@/lib/trace/trace';
import { formatBytes, formatDuration } from '@/lib/trace/wording';
import { Payload } from './payload';
import { SpanLink } from './span-link';
import { useFetched } from './use-run';

type Artifact = Extract<RunNote, { kind: 'artifact' }>;

/** Lists artifacts by name, newest version first. Each can be opened. */
export function ArtifactList(props: {
  readonly trace: Trace;
  readonly notes: readonly RunNote[];
  readonly cache: EventCache<ShortEvent>;
  readonly onSelect: (span: number) => void;
}) {
  const { trace, notes, cache, onSelect } = props;
  const [open, setOpen] = useState<number | undefined>(undefined);
  const byName = new Map<string, Artifact[]>();
  for (const note of notes) {
    if (note.kind !== 'artifact') continue;
    const key = `${note.space} ${note.name}`;
    byName.set(key, [note, ...(byName.get(key) ?? [])]);
  }
  if (byName.size === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-medium text-2xs text-muted">Artifacts</h3>
      {[...byName].map(([key, versions]) => (
        <div key={key} className="min-w-0 overflow-hidden rounded border">
          <p className="flex items-center gap-1.5 bg-ground px-2 py-1 text-xs">
            <FileText aria-hidden className="size-3.5 shrink-0 text-faint" />
            <span className="min-w-0 truncate font-medium text-ink">{versions[0]?.name}</span>
            <span className="shrink-0 text-muted">{spaceWord(versions[0])}</span>
          </p>
          <ul>
            {versions.map((note) => (
              <li key={note.seq} className="border-t px-2 py-1.5 text-xs">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="text-ink">Version {note.version}</span>
                  <span className="text-2xs text-muted tabular-nums">
                    {note.mimeType} · {formatBytes(note.bytes)} · {formatDuration(note.at)}
                  </span>
                  {note.lane !== undefined && (
                    <SpanLink
                      trace={trace}
                      path={trace.lanes[note.lane]?.path ?? ''}
                      onSelect={onSelect}
                      className="min-w-0 max-w-full"
                    />
                  )}
                  <span className="flex-1" />
                  <Button
                    size="sm"
                    aria-expanded={open === note.seq}
                    aria-label={`${open === note.seq ? 'Hide' : 'View'} ${note.name} version ${note.version}`}
                    onClick={() => setOpen(open === note.seq ? undefined : note.seq)}
                  >
                    {open === note.seq ? 'Hide' : 'View'}
                  </Button>
                </div>
                {open === note.seq && <Content runId={trace.run.runId} note={note} cache={cache} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function spaceWord(note: Artifact | undefined): string {
  if (note === undefined || note.space === 'run') return '';
  return note.space === 'user' ? 'kept with the project' : `of ${note.space.replace(/^instance:/, '')}`;
}

function Content(props: { readonly runId: string; readonly note: Artifact; readonly cache: EventCache<ShortEvent> }) {
  const { runId, note, cache } = props;
  const [fetched] = useFetched(cache, [note.seq]);
  if (fetched === undefined || fetched === 'loading') return <p className="text-muted text-xs">Loading</p>;
  if (!('value' in fetched)) return <p className="text-bad text-xs">{fetched.error}</p>;
  const event = fetched.value;
  if (event.kind !== 'artifact.saved') return null;
  if (event.encoding === 'text')
    return <Payload title="Content" value={event.content} pages={partPages(runId, event, 0)} />;
  const href = `data:${event.mimeType};base64,${event.content}`;
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      {/^image\/(png|jpeg|gif|webp)$/.test(event.mimeType) && (
        // biome-ignore lint/performance/noImgElement: it comes out of the event, not from a server
        <img
          src={href}
          alt={`${event.name}, version ${event.version}`}
          className="max-h-96 max-w-full rounded border"
        />
      )}
      <a href={href} download={event.name} className={buttonClass('secondary', 'sm')}>
        <Download aria-hidden className="size-3.5" />
        Download
      </a>
    </div>
  );
}
