'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import type { MirrorInfo } from '@/lib/base/mirror';
import { whyNot } from '@/lib/base/project-access';
import { draftWords } from '@/lib/base/release-names';
import { DraftList } from './draft-list';
import { MirrorSection, type MirrorServices } from './mirror-section';
import { OtherPrograms } from './other-programs';
import { PublishDialog } from './publish-dialog';
import { ReleaseList } from './release-list';
import { RevisionChanges } from './revision-changes';
import { RevisionItem } from './revision-item';
import type { Answered, Published, RevisionServices, ShownDraft, ShownRelease, ShownRevision } from './revision-types';
import { RollBackDialog } from './roll-back-dialog';

export interface RevisionsViewProps {
  readonly project: string;
  readonly revisions: readonly ShownRevision[];
  /** True if there are older ones that are not listed. */
  readonly hasMore: boolean;
  readonly labels: readonly ShownRelease[];
  readonly releases: readonly ShownRelease[];
  readonly drafts: readonly ShownDraft[];
  /** Where what is live is pushed. */
  readonly mirror: MirrorInfo | null;
  /** Where other machines reach the app. `undefined`: at the address that the browser has. */
  readonly publicUrl: string | undefined;
  readonly services: RevisionServices & { readonly mirror: MirrorServices };
}

const box = 'divide-y rounded-lg border bg-surface shadow-card';
const live = 'live';

type Question =
  | { readonly ask: 'release'; readonly what: Published; readonly label: string | undefined }
  | { readonly ask: 'rollback' }
  | { readonly ask: 'restore'; readonly revision: number };

/** The revisions of a project: what is live since when, and how to publish, roll back, restore and compare. */
export function RevisionsView(props: RevisionsViewProps) {
  const { revisions, labels, releases, drafts, services } = props;
  const access = useAccess();
  const [question, setQuestion] = useState<Question>();
  const [message, setMessage] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const [compared, setCompared] = useState<readonly [number, number]>();
  const now = labels.find(({ label }) => label === live);
  const refusals = { publish: whyNot(access, 'project.review'), edit: whyNot(access, 'project.edit') };
  const close = () => setQuestion(undefined);
  const tell = async <T,>(asked: Promise<Answered<T>>, words: (value: T) => string) => {
    close();
    const answer = await asked;
    setMessage(answer.ok ? { text: words(answer.value), isBad: false } : { text: answer.message, isBad: true });
  };
  return (
    <div className="flex flex-col gap-6">
      <LiveBox
        now={now}
        refusal={refusals.publish}
        hasEarlier={releases.filter(({ label }) => label === live).length > 1}
        onPublish={() => setQuestion({ ask: 'release', what: { draft: 'main', version: undefined }, label: live })}
        onRollBack={() => setQuestion({ ask: 'rollback' })}
      />
      {message !== undefined && (
        <p role={message.isBad ? 'alert' : 'status'} className={`text-sm ${message.isBad ? 'text-bad' : 'text-ink'}`}>
          {message.text}
        </p>
      )}
      <Drafts
        project={props.project}
        drafts={drafts}
        refusal={refusals.edit}
        services={services}
        tell={tell}
        onUpdated={(text) => setMessage({ text, isBad: false })}
      />
      <RevisionList
        project={props.project}
        revisions={revisions}
        hasMore={props.hasMore}
        refusals={refusals}
        compared={compared?.[1]}
        onAsk={setQuestion}
        onCompare={setCompared}
      />
      {compared !== undefined && (
        <RevisionChanges
          pair={compared}
          numbers={revisions.map(({ number }) => number)}
          services={services}
          onChange={setCompared}
        />
      )}
      <ReleaseList releases={releases} />
      <MirrorSection project={props.project} mirror={props.mirror} services={services.mirror} />
      <OtherPrograms project={props.project} publicUrl={props.publicUrl} />
      <Questions
        question={question}
        now={now?.revision}
        services={services}
        onClose={close}
        onReleased={(text) => {
          close();
          setMessage({ text, isBad: false });
        }}
        tell={tell}
      />
    </div>
  );
}

type Tell = <T>(asked: Promise<Answered<T>>, words: (value: T) => string) => Promise<void>;

function Drafts(props: {
  readonly project: string;
  readonly drafts: readonly ShownDraft[];
  /** Why the person may not change drafts. */
  readonly refusal: string | undefined;
  readonly services: RevisionServices;
  readonly tell: Tell;
  readonly onUpdated: (words: string) => void;
}) {
  const { project, drafts, refusal, services, tell, onUpdated } = props;
  return (
    <DraftList
      project={project}
      drafts={drafts}
      refusal={refusal}
      services={services}
      onUpdated={onUpdated}
      onSave={(draft) =>
        void tell(services.save(draft, ''), ({ number, isNew }) =>
          isNew
            ? `The ${draftWords(draft)} is saved as revision ${number}.`
            : `The ${draftWords(draft)} has not changed since revision ${number}.`,
        )
      }
      onMake={(name, from) => void tell(services.makeDraft(name, { draft: from }), () => `Draft ${name} is made.`)}
      onRename={(draft, name) => void tell(services.renameDraft(draft, name), () => `The draft is called ${name} now.`)}
      onDelete={(draft) =>
        void tell(services.deleteDraft(draft), (saved) =>
          saved === undefined
            ? `Draft ${draft} is deleted.`
            : `Draft ${draft} is deleted. Revision ${saved} keeps its files.`,
        )
      }
    />
  );
}

function RevisionList(props: {
  readonly project: string;
  readonly revisions: readonly ShownRevision[];
  /** True if there are older ones that are not listed. */
  readonly hasMore: boolean;
  /** Why the person may not publish and not restore. */
  readonly refusals: { readonly publish: string | undefined; readonly edit: string | undefined };
  /** The number of the revision that is compared with another one. */
  readonly compared: number | undefined;
  readonly onAsk: (question: Question) => void;
  readonly onCompare: (pair: readonly [number, number] | undefined) => void;
}) {
  const { revisions, hasMore, refusals, compared, onAsk, onCompare } = props;
  return (
    <section aria-label="Revisions">
      <h2 className="mb-2 font-medium text-ink text-sm">Revisions</h2>
      {revisions.length === 0 ? (
        <div className={box}>
          <EmptyState title="No revisions yet">Publish the draft, or save it as a revision.</EmptyState>
        </div>
      ) : (
        <ul aria-label="Revisions" className={box}>
          {revisions.map((revision) => (
            <RevisionItem
              key={revision.number}
              project={props.project}
              revision={revision}
              refusals={refusals}
              isCompared={compared === revision.number}
              onPublish={(label) => onAsk({ ask: 'release', what: { revision: revision.number }, label })}
              onRestore={() => onAsk({ ask: 'restore', revision: revision.number })}
              onCompare={onCompare}
            />
          ))}
        </ul>
      )}
      {hasMore && <p className="mt-2 text-muted text-xs">Older revisions are read with the HTTP API.</p>}
    </section>
  );
}

function LiveBox(props: {
  readonly now: ShownRelease | undefined;
  /** Why the person may not publish. */
  readonly refusal: string | undefined;
  readonly hasEarlier: boolean;
  readonly onPublish: () => void;
  readonly onRollBack: () => void;
}) {
  const { now, refusal, hasEarlier } = props;
  const isFixed = refusal !== undefined;
  return (
    <section
      aria-label="Live"
      className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface px-4 py-3 shadow-card"
    >
      <p className="min-w-0 flex-1 basis-64 text-ink text-sm">
        {now === undefined ? (
          'Nothing is published yet, so runs use the main draft.'
        ) : (
          <>
            Revision {now.revision} is live, since <TimeAgo at={now.at} />, by {now.by}.
          </>
        )}
      </p>
      <Button size="sm" variant="primary" title={refusal} disabled={isFixed} onClick={props.onPublish}>
        Publish draft
      </Button>
      {hasEarlier && (
        <Button size="sm" title={refusal} disabled={isFixed} onClick={props.onRollBack}>
          Roll back
        </Button>
      )}
    </section>
  );
}

/** The dialogs of the page. */
function Questions(props: {
  readonly question: Question | undefined;
  /** The number of the live revision. */
  readonly now: number | undefined;
  readonly services: RevisionServices;
  readonly onClose: () => void;
  readonly onReleased: (text: string) => void;
  readonly tell: Tell;
}) {
  const { question, now, services, onClose, tell } = props;
  const restored = question?.ask === 'restore' ? question.revision : undefined;
  return (
    <>
      {question?.ask === 'release' && (
        <PublishDialog
          what={question.what}
          label={question.label}
          expected={question.label === live ? (now ?? null) : undefined}
          services={services}
          onClose={onClose}
          onDone={(revision, label) => props.onReleased(`Revision ${revision} is ${label}.`)}
        />
      )}
      {question?.ask === 'rollback' && (
        <RollBackDialog
          services={services}
          onClose={onClose}
          onConfirm={() => void tell(services.rollBack(live, now ?? 0), (number) => `Revision ${number} is live.`)}
        />
      )}
      <ConfirmDialog
        open={restored !== undefined}
        onOpenChange={(open) => !open && onClose()}
        title={`Restore revision ${restored}?`}
        confirm="Restore"
        onConfirm={() => {
          if (restored === undefined) return;
          const done = `The main draft has the files of revision ${restored}.`;
          void tell(services.restore(restored, 'main'), (saved) =>
            saved === undefined ? done : `${done} Revision ${saved} keeps what it had before.`,
          );
        }}
      >
        The main draft gets the files of this revision. What it has now is kept as a revision. What is live stays.
      </ConfirmDialog>
    </>
  );
}
