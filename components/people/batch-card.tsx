'use client';

import { Check, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';
import { showToast } from '@/components/ui/toast';
import { useLatest } from '@/components/ui/use-latest';
import { VisibleText } from '@/components/ui/visible-text';
import type { AnswerResult, PendingDetail } from '@/lib/base/pending-info';
import { tellAnswered } from '@/lib/client/open-count';
import { readPendingDetails } from '@/lib/client/pending';
import { usesLetters } from './answer-bar';
import { usePeople } from './people-context';
import { type Batch, batchOf } from './question-batch';
import { guardMs, questionAction } from './question-keys';
import { stickyBar } from './sticky-actions';
import { WholeValue } from './whole-value';

export interface BatchCardProps {
  readonly ids: readonly string[];
  /** Called with the questions that are not waiting any more. */
  readonly onAnswered: (ids: readonly string[]) => void;
  readonly onClear: () => void;
}

/** Answers several questions of one tool at once. Each gets a decision of its own, and says how it went. */
export function BatchCard(props: BatchCardProps) {
  const { ids } = props;
  const key = ids.join(',');
  const [loaded, setLoaded] = useState<readonly PendingDetail[] | { readonly error: string }>();
  useEffect(() => {
    const gone = new AbortController();
    readPendingDetails(key.split(','), gone.signal)
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
      .then((found) => {
        if (!gone.signal.aborted) setLoaded(found);
      });
    return () => gone.abort();
  }, [key]);
  if (loaded === undefined) {
    return (
      <p role="status" className="p-4 text-muted text-sm">
        Loading the questions
      </p>
    );
  }
  if ('error' in loaded) {
    return (
      <p role="alert" className="p-4 text-bad text-sm">
        {loaded.error}
      </p>
    );
  }
  return <Loaded {...props} batch={batchOf(loaded)} />;
}

function Loaded({ batch, onAnswered, onClear }: BatchCardProps & { readonly batch: Batch }) {
  const people = usePeople();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly Extract<AnswerResult, { ok: false }>[]>([]);
  const isReady = useGuard();
  const { items, decisions } = batch;
  const send = async (decision: 'approve' | 'deny') => {
    if (busy || !isReady || people === undefined || items.length === 0 || !decisions.includes(decision)) return;
    setBusy(true);
    const sent = await people.answerAll(
      items.map(({ id }) => id),
      { decision, ...(note.trim() !== '' && { note }) },
    );
    setBusy(false);
    tellAnswered();
    if (typeof sent === 'string') return showToast({ tone: 'bad', text: sent });
    const kept = sent.filter(({ ok }) => ok).length;
    const bad = sent.flatMap((each) => (each.ok ? [] : [each]));
    setRefused(bad);
    const words = `${kept} ${decision === 'approve' ? 'approved' : 'declined'}`;
    showToast({
      tone: bad.length === 0 ? 'ok' : 'info',
      text: bad.length === 0 ? words : `${words}, ${bad.length} not`,
    });
    // Those that were refused stay to be read.
    if (bad.length === 0) onAnswered(items.map(({ id }) => id));
  };
  useBatchKeys({ send, clear: onClear });
  return (
    <article aria-label="Selected questions" className="flex flex-col gap-4 p-4">
      <header className="flex flex-col gap-1">
        <h2 className="font-semibold text-base text-ink">
          <VisibleText text={titleOf(batch)} />
        </h2>
        <p className="text-muted text-xs">Each is a decision of its own in the log.{leftOut(batch)}</p>
      </header>
      {batch.equal.length > 0 && <Equal pairs={batch.equal} />}
      {batch.columns.length > 0 && <Differences batch={batch} />}
      {refused.length > 0 && (
        <ul aria-label="Not kept" className="flex flex-col gap-1 rounded border bg-bad-soft px-3 py-2 text-bad text-sm">
          {refused.map(({ id, message }) => (
            <li key={id}>{message}</li>
          ))}
        </ul>
      )}
      <Field label="Reason or note" hint="Kept with each of them. The model reads the reason of a denial.">
        {(ids) => <Textarea {...ids} rows={2} value={note} onChange={(event) => setNote(event.currentTarget.value)} />}
      </Field>
      <div className={stickyBar}>
        {decisions.includes('approve') && (
          <Button
            variant="primary"
            busy={busy}
            aria-disabled={!isReady || undefined}
            icon={<Check aria-hidden className="size-4" />}
            onClick={() => void send('approve')}
          >
            Approve {items.length} <Kbd>A</Kbd>
          </Button>
        )}
        {decisions.includes('deny') && (
          <Button
            busy={busy}
            aria-disabled={!isReady || undefined}
            icon={<X aria-hidden className="size-4" />}
            onClick={() => void send('deny')}
          >
            Decline {items.length}
          </Button>
        )}
        <Button variant="ghost" onClick={onClear}>
          Clear selection
        </Button>
      </div>
    </article>
  );
}

function titleOf({ items }: Batch): string {
  const tool = items[0]?.question.tool?.name;
  const count = items.length === 1 ? '1 question' : `${items.length} questions`;
  return tool === undefined ? count : `${items.length === 1 ? '1 call' : `${items.length} calls`} of '${tool}'`;
}

function leftOut({ ended, different }: Batch): string {
  const parts = [
    ...(different > 0 ? [`${different} with another schema or other arguments stay out`] : []),
    ...(ended > 0 ? [`${ended} ended meanwhile`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join('; ')}.`;
}

function Equal({ pairs }: { readonly pairs: Batch['equal'] }) {
  return (
    <section aria-label="Equal in all" className="flex flex-col gap-1">
      <h3 className="font-medium text-muted text-xs">Equal in all</h3>
      <dl className="flex flex-col divide-y rounded border bg-surface">
        {pairs.map(([name, value]) => (
          <div key={name} className="grid gap-x-3 px-2.5 py-1.5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="break-all font-mono text-muted text-xs sm:leading-5">
              <VisibleText text={name} />
            </dt>
            <dd className="min-w-0 whitespace-pre-wrap break-words text-ink">
              <WholeValue text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Differences({ batch: { items, columns, rows } }: { readonly batch: Batch }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
    <section aria-label="What differs" tabIndex={0} className="max-h-96 overflow-auto rounded border bg-surface">
      <table className="w-full text-left text-sm">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-2.5 py-1.5 font-medium font-mono text-muted text-xs">
                <VisibleText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row, index) => (
            <tr key={items[index]?.id}>
              {row.map((value, column) => (
                <td key={columns[column]} className="max-w-80 px-2.5 py-1.5 align-top text-ink">
                  <span className="whitespace-pre-wrap break-words">
                    <WholeValue text={value} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A key or a click in the first moments was meant for what stood here before. */
function useGuard(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), guardMs);
    return () => clearTimeout(timer);
  }, []);
  return ready;
}

function useBatchKeys(act: {
  readonly send: (decision: 'approve') => Promise<void>;
  readonly clear: () => void;
}): void {
  const latest = useLatest((event: KeyboardEvent) => {
    if (event.defaultPrevented || usesLetters(event.target)) return;
    if (event.key === 'Escape') act.clear();
    else if (questionAction(event) === 'approve') void act.send('approve');
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener('keydown', latest);
    return () => window.removeEventListener('keydown', latest);
  }, [latest]);
}
