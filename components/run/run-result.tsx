'use client';

import { LoaderCircle } from 'lucide-react';
import { Payload } from './payload';
import type { RunState } from './run-info';

export interface RunResultProps {
  readonly status: RunState;
  readonly message: string | undefined;
  readonly answer: string | undefined;
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** What was asked and what came of it. */
export function RunResult({ status, message, answer, error }: RunResultProps) {
  return (
    <div className="flex flex-col gap-3 p-3">
      {error !== undefined && <Payload title={`Error ${error.code}`} value={error.message} tone="bad" />}
      {answer !== undefined && <Payload title="Answer" value={answer} look="prose" />}
      {answer === undefined && error === undefined && (
        <p className="flex items-center gap-2 text-muted text-sm">
          {status === 'queued' || status === 'running' ? (
            <>
              <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
              {status === 'queued'
                ? 'Waiting for a worker. The answer appears here.'
                : 'Working. The answer appears here.'}
            </>
          ) : (
            'The run was stopped before it had an answer.'
          )}
        </p>
      )}
      {message !== undefined && <Payload title="Message" value={message} look="prose" />}
    </div>
  );
}
