'use client';

import { Hand } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import type { PendingDetail } from '@/lib/base/pending-info';
import { AnswerBar } from './answer-bar';
import { ArgumentsView } from './arguments-view';
import { approvalsInRun, EarlierAnswers, useEarlierAnswers } from './earlier-answers';
import { aboutWords, endWords, happensWords, pathWords } from './question-words';
import { useQuestion } from './use-question';

export interface QuestionCardProps {
  readonly id: string;
  /** The question is read again when this changes. */
  readonly version: unknown;
  /** Called when this page has answered it. */
  readonly onAnswered?: (() => void) | undefined;
  /** True if the keys of the whole page answer this question. */
  readonly withKeys?: boolean;
  /** Leaves out the links to the run, on its own page. */
  readonly inRun?: boolean;
}

/** Shows a question to a person with everything that one needs to decide, and takes the answer. */
export function QuestionCard(props: QuestionCardProps) {
  const [sent, setSent] = useState(0);
  const loaded = useQuestion(props.id, `${props.version} ${sent}`);
  if (loaded === undefined) {
    return (
      <p role="status" className="p-4 text-muted text-sm">
        Loading the question
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
  return <Card key={props.id} {...props} item={loaded.value} onSent={() => setSent(sent + 1)} />;
}

function Card(props: QuestionCardProps & { readonly item: PendingDetail; readonly onSent: () => void }) {
  const { item, inRun, withKeys, onAnswered, onSent } = props;
  const [fault, setFault] = useState<string | undefined>(undefined);
  const sent = (refusal: string | undefined) => {
    setFault(refusal);
    // Another answer may have been first, which is then shown.
    onSent();
    if (refusal === undefined) onAnswered?.();
  };
  const { question, given } = item;
  const ended = endWords(item);
  const earlier = useEarlierAnswers(item);
  return (
    <article aria-label="Question" className="flex flex-col gap-4 p-4">
      <header className="flex flex-col gap-1.5">
        <h2 className="break-words font-semibold text-base text-ink">
          <VisibleText text={item.sentence} />
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
          {ended === undefined ? (
            <Badge tone="warn" icon={<Hand aria-hidden />}>
              Waiting
            </Badge>
          ) : (
            <Badge>{item.status}</Badge>
          )}
          <span className="min-w-0 break-all font-mono text-2xs" title="From the root to the instance that asks">
            <VisibleText text={pathWords(item.path)} />
          </span>
          <span>
            asked <TimeAgo at={item.askedAt} />
          </span>
          {!inRun && (
            <>
              <Link href={`/r/${item.run}`} className="text-accent underline underline-offset-2">
                Open run
              </Link>
              <Link href={`/p/${item.project}`} className="text-accent underline underline-offset-2">
                <VisibleText text={item.projectName} />
              </Link>
            </>
          )}
        </p>
      </header>
      {ended !== undefined && <Ended item={item} words={ended} />}
      <Part title="What will happen">
        <p className="text-ink text-sm">
          <VisibleText text={happensWords(item)} />
        </p>
      </Part>
      {question.said !== undefined && question.said !== '' && (
        <Part title="What the model said before">
          <p className="whitespace-pre-wrap break-words text-ink text-sm">
            <VisibleText text={question.said} use="prose" />
          </p>
        </Part>
      )}
      <Why item={item} />
      <EarlierAnswers answers={earlier} />
      {ended === undefined ? (
        <AnswerBar
          item={item}
          withKeys={withKeys === true}
          approvedBefore={approvalsInRun(earlier, item.run)}
          onSent={sent}
        />
      ) : (
        <ArgumentsView title={aboutWords(question)} value={question.arguments} />
      )}
      <p role="alert" className="break-words text-bad text-sm empty:hidden">
        {fault}
      </p>
      {given?.arguments !== undefined && <ArgumentsView title="Arguments that ran" value={given.arguments} />}
      {given?.content !== undefined && <ArgumentsView title="Answer" value={given.content} />}
    </article>
  );
}

function Ended({ item, words }: { readonly item: PendingDetail; readonly words: string }) {
  return (
    <p role="status" className="rounded border bg-sunken px-3 py-2 text-ink text-sm">
      <VisibleText text={words} /> <VisibleText text={item.answer?.note ?? ''} use="prose" />
      {item.endedAt !== undefined && (
        <span className="text-muted">
          {' '}
          <TimeAgo at={item.endedAt} />
        </span>
      )}
    </p>
  );
}

/** Says which setting asks, and what happens if nobody answers. */
function Why({ item: { question, project } }: { readonly item: PendingDetail }) {
  const { why, limit } = question;
  if (why === undefined && limit === undefined) return null;
  return (
    <Part title="Why it asks">
      {why !== undefined && (
        <p className="text-ink text-sm">
          <Link
            href={why.level === 'team' ? '/settings/policy' : `/p/${project}`}
            title={why.level === 'team' ? 'Open the rules' : 'Open the project'}
            className="break-all font-mono text-accent text-xs underline-offset-2 hover:underline"
          >
            <VisibleText text={why.rule} />
          </Link>{' '}
          <span className="text-muted">
            {why.level === 'team' ? 'is a rule of your team' : `in callboard.yaml, for this ${why.level}`}
          </span>
        </p>
      )}
      {limit !== undefined && (
        <p className="text-muted text-xs">
          Without an answer until{' '}
          <time dateTime={new Date(limit.at).toISOString()}>{new Date(limit.at).toLocaleString()}</time>{' '}
          {limit.outcome === 'deny' ? 'the call is denied.' : 'the turn of the agent fails.'}
        </p>
      )}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-0.5">
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      {children}
    </section>
  );
}
