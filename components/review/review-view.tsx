'use client';

import type { ReactNode } from 'react';
import { useAccess } from '@/components/access/access-context';
import { CapabilityList } from '@/components/compare/capability-list';
import { Markdown } from '@/components/ui/markdown';
import { whyNot } from '@/lib/base/project-access';
import { ChangeRows } from './change-rows';
import { CommentBox } from './comment-box';
import { CommentedPart } from './commented-part';
import { FileLines } from './file-lines';
import { GraphChanges } from './graph-changes';
import { LiveMoved } from './live-moved';
import type { ReviewViewProps } from './review-types';
import { ThreadList } from './thread-list';
import { VerdictBox } from './verdict-box';

/** A review: first what a change can do, then its parts and its lines, then what people say, and at the end the decision. */
export function ReviewView({ review, services, publishing, onRefresh }: ReviewViewProps) {
  const refusal = whyNot(useAccess(), 'review.write');
  const { capabilities, groups, files, threads, drawing } = review;
  const isOpen = review.status === 'open';
  const rows = { threads, refusal, onComment: services.comment };
  return (
    <div className="flex flex-col gap-8">
      {review.body !== '' && (
        <section aria-label="Description" className="max-w-3xl">
          <Markdown text={review.body} />
        </section>
      )}
      {review.moved !== undefined && (
        <Part title="Another revision went live">
          <LiveMoved
            moved={review.moved}
            against={review.against}
            draft={review.draft}
            publishing={publishing}
            refusal={refusal}
            onAddVersion={services.addVersion}
          />
        </Part>
      )}
      <Part title="What it can do">
        <CapabilityList
          changes={capabilities}
          withMore={({ about }, sentence) => (
            <CommentedPart about={about} small {...rows}>
              {sentence}
            </CommentedPart>
          )}
        />
      </Part>
      <Part title="What changes">
        {groups.length === 0 ? (
          <Nothing>No agent, delegation, hook, server or setting differs.</Nothing>
        ) : (
          <ChangeRows groups={groups} {...rows} />
        )}
      </Part>
      <Part title="Graph">
        <GraphChanges {...{ drawing, capabilities, groups, isOpen, services }} {...rows} />
      </Part>
      <Part title="Files">
        {files.length === 0 ? <Nothing>The files are the same.</Nothing> : <FileLines files={files} {...rows} />}
      </Part>
      <Part title="Comments">
        <ThreadList threads={threads} refusal={refusal} isOpen={isOpen} services={services} />
        {refusal === undefined && (
          <CommentBox
            label="Comment on the whole change"
            onSend={(body) => services.comment({ kind: 'review' }, body, undefined)}
          />
        )}
      </Part>
      <Part title="Decision">
        <VerdictBox review={review} services={services} publishing={publishing} onRefresh={onRefresh} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="font-semibold text-base text-ink">{title}</h2>
      {children}
    </section>
  );
}

function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>;
}
