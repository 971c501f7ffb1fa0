'use client';

import { PlugZap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { KeyReport } from '@/lib/base/key-report';

type Tried =
  | { readonly phase: 'running' }
  | { readonly phase: 'done'; readonly report: KeyReport }
  | { readonly phase: 'failed'; readonly message: string };

export interface KeyTestProps {
  readonly name: string;
  /** Rejects with an Error whose message users may see. */
  readonly onTest: () => Promise<KeyReport>;
  readonly disabled?: boolean;
}

/** The button that tries a key at its provider, and what the provider said. The key must be another one to start over: give it a `key`. */
export function KeyTest({ name, onTest, disabled = false }: KeyTestProps) {
  const [tried, setTried] = useState<Tried>();
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const running = tried?.phase === 'running';
  const test = async () => {
    setTried({ phase: 'running' });
    const next = await onTest().then(
      (report): Tried => ({ phase: 'done', report }),
      (error: unknown): Tried => ({ phase: 'failed', message: messageOf(error) }),
    );
    if (mounted.current) setTried(next);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<PlugZap aria-hidden className="size-3.5" />}
          busy={running}
          disabled={disabled}
          onClick={() => void test()}
        >
          {running ? 'Testing…' : 'Test'}
          <span className="sr-only"> {name}</span>
        </Button>
        <span role="status" className="inline-flex text-xs">
          {running && <span className="sr-only">Testing</span>}
          {tried?.phase === 'failed' && <Badge tone="bad">not tested</Badge>}
          {tried?.phase === 'done' && <Badge tone={toneOf(tried.report)}>{wordsOf(tried.report)}</Badge>}
        </span>
      </div>
      {tried?.phase === 'failed' && <p className="break-words text-bad text-xs">{tried.message}</p>}
      {tried?.phase === 'done' && <Found report={tried.report} />}
    </div>
  );
}

function Found({ report: { message, models } }: { readonly report: KeyReport }) {
  return (
    <div className="text-xs">
      <p className="break-words text-muted">{message}</p>
      {models.length > 0 && (
        <p className="break-words text-faint">
          Such as <span className="font-mono">{models.join(', ')}</span>
        </p>
      )}
    </div>
  );
}

function toneOf({ outcome }: KeyReport): 'ok' | 'warn' | 'bad' {
  if (outcome === 'works') return 'ok';
  return outcome === 'unproved' ? 'warn' : 'bad';
}

const words = {
  works: 'works',
  refused: 'wrong key',
  'no credit': 'no credit or limit reached',
  'not reached': 'not reached',
  'wrong address': 'wrong address',
  unproved: 'not shown',
  failed: 'failed there',
} as const;

function wordsOf({ outcome }: KeyReport): string {
  return words[outcome];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The key could not be tested. Try again.';
}
