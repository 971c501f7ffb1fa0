'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Checks } from '@/components/revisions/checks';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { later } from '@/components/ui/later';
import { TimeAgo } from '@/components/ui/time-ago';
import { whyNot } from '@/lib/base/project-access';
import { draftWords } from '@/lib/base/release-names';
import type { VerdictKind } from '@/lib/base/review-kinds';
import type { Done, ReviewViewProps, ShownVerdict } from './review-types';

const PublishDialog = later(async () => (await import('@/components/revisions/publish-dialog')).PublishDialog, null);

/** What people decided, what the checks found, and the buttons to decide. */
export function VerdictBox({ review, services, publishing, onRefresh }: ReviewViewProps) {
  const access = useAccess();
  const [note, setNote] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const { status, verdicts, checks, draft, revision, against } = review;
  const closed = status === 'open' ? undefined : `This review is ${status}.`;
  const decides = closed ?? whyNot(access, 'review.decide');
  const writes = closed ?? whyNot(access, 'review.write');
  const ask = async (done: Done) => {
    setBusy(true);
    setFault(await done);
    setBusy(false);
  };
  const decide = (verdict: VerdictKind) => {
    void ask(services.decide(verdict, note));
    setNote('');
  };
  // Also after a refusal: what is live may be another revision by now.
  const leave = () => {
    setPublishing(false);
    onRefresh();
  };
  const publishes = closed ?? whyNot(access, 'project.review');
  return (
    <div className="flex flex-col gap-4">
      <Verdicts verdicts={verdicts} />
      <Checks checks={checks} />
      {decides === undefined && (
        <div className="max-w-2xl">
          <Field label="Note" hint="Why you approve, or what should change.">
            {(ids) => <Textarea {...ids} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />}
          </Field>
        </div>
      )}
      <Decisions
        choices={[
          { words: 'Approve', refusal: decides ?? review.ownApproval, act: () => decide('approve') },
          { words: 'Request changes', refusal: decides, act: () => decide('request_changes') },
          { words: 'Withdraw my verdict', refusal: decides, act: () => decide('withdrawn') },
          { words: 'Publish', refusal: publishes, act: () => setPublishing(true) },
          {
            words: `Add what the ${draftWords(draft)} has now`,
            refusal: writes,
            act: () => void ask(services.addVersion()),
          },
          { words: 'Withdraw review', refusal: writes, act: () => void ask(services.withdraw()) },
        ]}
        busy={busy}
      />
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
      {isPublishing && (
        <PublishDialog
          what={{ revision }}
          label="live"
          expected={against ?? null}
          services={publishing}
          onClose={leave}
          onDone={leave}
        />
      )}
    </div>
  );
}

interface Choice {
  readonly words: string;
  /** Why the button is off. */
  readonly refusal: string | undefined;
  readonly act: () => void;
}

/** The buttons to decide, and each reason for which some are off. */
function Decisions({ choices, busy }: { readonly choices: readonly Choice[]; readonly busy: boolean }) {
  const reasons = [...new Set(choices.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal])))];
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ words: name, refusal, act }, index) => (
          <Button
            key={name}
            variant={index === 0 ? 'primary' : name.startsWith('Withdraw') ? 'ghost' : 'secondary'}
            title={refusal}
            disabled={busy || refusal !== undefined}
            onClick={act}
          >
            {name}
          </Button>
        ))}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="text-muted text-xs">
          {reason}
        </p>
      ))}
    </>
  );
}

const words: Readonly<Record<VerdictKind, string>> = {
  approve: 'approved',
  request_changes: 'asked for changes',
  withdrawn: 'withdrew a verdict',
};

function Verdicts({ verdicts }: { readonly verdicts: readonly ShownVerdict[] }) {
  if (verdicts.length === 0) return <p className="text-muted text-sm">No verdicts yet.</p>;
  return (
    <ul aria-label="Verdicts" className="divide-y rounded-lg border bg-surface shadow-card">
      {verdicts.map(({ id, by, verdict, note, at, staleBy }) => (
        <li key={id} className="flex flex-col gap-0.5 px-3 py-1.5 text-sm">
          <p className="flex flex-wrap items-center gap-2 text-ink">
            <span className="min-w-0 break-words">
              {by} {words[verdict]} · <TimeAgo at={at} />
            </span>
            {staleBy !== null && <Badge>no longer counts</Badge>}
          </p>
          {note !== '' && <p className="whitespace-pre-wrap break-words text-muted">{note}</p>}
          {staleBy !== null && <p className="break-words text-muted text-xs">Ended: {staleBy}.</p>}
        </li>
      ))}
    </ul>
  );
}
