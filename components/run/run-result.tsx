'use client';

import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PartPages } from '@/lib/client/run-source';
import type { LostSession } from '@/lib/editor/lost-sessions';
import type { FailedServer } from '@/lib/runtime/record/events';
import { isActive, type RunState } from '@/lib/trace/run-state';
import { MissingKey } from './lazy-tabs';
import { Payload } from './payload';

export interface RunResultProps {
  readonly status: RunState;
  /** The run waits until the message before it in its conversation has been answered. */
  readonly isInLine?: boolean | undefined;
  readonly message: string | undefined;
  readonly answer: string | undefined;
  /** Loads the rest of the texts when they are cut. */
  readonly answerPages?: PartPages | undefined;
  readonly messagePages?: PartPages | undefined;
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Servers that did not start, with their output once the run has ended. */
  readonly failedServers: readonly FailedServer[];
  /** Sessions that were not saved. */
  readonly lostSessions: readonly LostSession[];
  /** False until the last event of the run has been loaded. */
  readonly complete: boolean;
  /** Shown while the run goes on: what its models say now. */
  readonly saysNow?: ReactNode;
}

const waits = {
  queued: 'Waiting for a worker. The answer appears here.',
  running: 'Working. The answer appears here.',
  suspended: 'Waiting for people to answer. The answer of the run appears here.',
};
const waitsInLine = 'Waiting for the message before this one. The answer appears here.';
const endings = {
  completed: 'The run ended without an answer.',
  failed: 'The run failed.',
  cancelled: 'The run was stopped before it had an answer.',
};

function waitingWords(status: keyof typeof waits, isInLine: boolean): string {
  return status === 'queued' && isInLine ? waitsInLine : waits[status];
}

/** Shows the message of a run and its outcome. */
export function RunResult(props: RunResultProps) {
  const { status, message, answer, answerPages, messagePages, error, failedServers, lostSessions, complete } = props;
  const waiting = isActive(status);
  const { saysNow, isInLine = false } = props;
  return (
    <div className="flex flex-col gap-3 p-3">
      {message !== undefined && <Payload title="Input" value={message} pages={messagePages} look="prose" isShort />}
      {answer !== undefined && <Payload title="Answer" value={answer} pages={answerPages} look="prose" />}
      {answer === undefined && (error === undefined || status === 'cancelled') && (
        <p className="flex items-center gap-2 text-muted text-sm">
          {(waiting || !complete) && status !== 'suspended' && (
            <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
          )}
          {waiting ? waitingWords(status, isInLine) : complete ? endings[status] : 'Loading the answer'}
        </p>
      )}
      {error !== undefined && status !== 'cancelled' && (
        <>
          <Payload title={`Error ${error.code}`} value={error.message} tone="bad" />
          <p className="empty:hidden">
            <MissingKey text={error.message} />
          </p>
        </>
      )}
      {failedServers.map(({ name, message }) => (
        <Payload key={name} title={`Server ${name} did not start`} value={message} tone="bad" />
      ))}
      {lostSessions.map(({ agentName, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
        <Payload key={index} title={`Session of ${agentName} not saved`} value={message} tone="bad" />
      ))}
      {waiting && saysNow}
    </div>
  );
}
