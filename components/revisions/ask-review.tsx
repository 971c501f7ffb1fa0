'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import type { WayToReview } from '@/lib/base/gate';
import { whyNot } from '@/lib/base/project-access';
import { reviewsHref } from '@/lib/client/project-address';
import type { PublishServices } from './revision-types';

/** Says who may approve a draft, and leads to its review, or opens one. The note of the dialog becomes its title and text. */
export function AskReview(props: {
  readonly draft: string;
  readonly way: WayToReview;
  readonly note: string;
  readonly services: Pick<PublishServices, 'project' | 'openReview'>;
}) {
  const { draft, way, note, services } = props;
  const { project } = services;
  const router = useRouter();
  const refusal = whyNot(useAccess(), 'review.write');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const open = async () => {
    setBusy(true);
    const opened = await services.openReview(draft, note);
    if (opened.ok) return router.push(reviewsHref(project, opened.value));
    setBusy(false);
    setFault(opened.message);
  };
  return (
    <div className="flex flex-col gap-1.5">
      {way.reviewers.length > 0 && (
        <p className="break-words text-muted text-xs">
          <VisibleText text={`${listed(way.reviewers)} may approve.`} />
        </p>
      )}
      {way.open !== undefined ? (
        <Button size="sm" asChild className="self-start">
          <Link href={reviewsHref(project, way.open)}>Go to review {way.open}</Link>
        </Button>
      ) : (
        <Button
          size="sm"
          className="self-start"
          busy={busy}
          disabled={refusal !== undefined}
          onClick={() => void open()}
        >
          Open a review
        </Button>
      )}
      {way.open === undefined && refusal !== undefined && <p className="text-muted text-xs">{refusal}</p>}
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </div>
  );
}

const mostNames = 4;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, more === 1 ? 'one other' : `${more} others`] : shown;
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
