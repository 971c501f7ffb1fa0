'use client';

import Link from 'next/link';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { whyNot } from '@/lib/base/project-access';
import { draftWords } from '@/lib/base/release-names';
import type { ReviewStatus } from '@/lib/base/review-kinds';
import type { ReviewPolicy } from '@/lib/base/review-policy';
import { reviewsHref } from '@/lib/client/project-address';
import { PolicySection } from './policy-section';
import type { Done, ShownReview } from './review-types';

export interface ReviewListProps {
  readonly project: string;
  readonly drafts: readonly string[];
  readonly reviews: readonly ShownReview[];
  readonly policy: ReviewPolicy;
  readonly onPolicy: (policy: ReviewPolicy) => Done;
  readonly onOpen: (request: { readonly title: string; readonly body: string; readonly draft: string }) => Done;
}

const tones: Readonly<Record<ReviewStatus, Tone>> = { open: 'accent', published: 'ok', withdrawn: 'neutral' };

/** Lists reviews, and opens new ones. */
export function ReviewList({ project, drafts, reviews, policy, onPolicy, onOpen }: ReviewListProps) {
  const refusal = whyNot(useAccess(), 'policy.set');
  return (
    <div className="flex flex-col gap-6">
      {reviews.length === 0 ? (
        <EmptyState title="No reviews yet">A review shows what a draft changes before it goes live.</EmptyState>
      ) : (
        <ul aria-label="Reviews" className="divide-y rounded-lg border bg-surface shadow-card">
          {reviews.map(({ number, title, status, author, draft, version, createdAt }) => (
            <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
              <p className="min-w-0 flex-1 basis-48">
                <Link href={reviewsHref(project, number)} className="break-words text-accent hover:underline">
                  <VisibleText text={title} />
                </Link>
                <span className="block break-words text-muted text-xs">
                  Review {number} by {author} · {draftWords(draft)} · version {version} · <TimeAgo at={createdAt} />
                </span>
              </p>
              <Badge tone={tones[status]}>{status}</Badge>
            </li>
          ))}
        </ul>
      )}
      <OpenForm drafts={drafts} onOpen={onOpen} />
      <PolicySection policy={policy} refusal={refusal} onSave={onPolicy} />
    </div>
  );
}

function OpenForm({ drafts, onOpen }: Pick<ReviewListProps, 'drafts' | 'onOpen'>) {
  const refusal = whyNot(useAccess(), 'review.write');
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [draft, setDraft] = useState(drafts[0] ?? 'main');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (refusal !== undefined) return <p className="text-muted text-sm">{refusal}</p>;
  return (
    <form
      aria-label="New review"
      className="flex max-w-xl flex-col gap-3"
      onSubmit={async (event) => {
        event.preventDefault();
        if (title.trim() === '' || busy) return;
        setBusy(true);
        setFault(await onOpen({ title, body, draft }));
        setBusy(false);
      }}
    >
      <h2 className="font-medium text-ink text-sm">New review</h2>
      <Field label="Title">
        {(ids) => <Input {...ids} value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />}
      </Field>
      <Field label="What changes, and why">
        {(ids) => <Textarea {...ids} rows={3} value={body} onChange={(event) => setBody(event.target.value)} />}
      </Field>
      <div className="flex flex-wrap items-center gap-2 text-muted text-xs">
        Draft
        <Select
          aria-label="Draft"
          value={draft}
          options={drafts.map((name) => ({ value: name, label: name }))}
          onValueChange={setDraft}
        />
        <Button type="submit" variant="primary" disabled={title.trim() === ''} busy={busy}>
          Open review
        </Button>
      </div>
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </form>
  );
}
