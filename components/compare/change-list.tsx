'use client';

import { useEffect, useState } from 'react';
import { PlainText, TextDiff } from '@/components/hook-bench/text-diff';
import { type FileChange, loadFileChanges } from '@/lib/client/compare-runs';
import type { RunInfo } from '@/lib/client/run-info';
import { ownSource } from '@/lib/trace/run-source';
import { FileChanges } from './file-changes';

type Loaded = { readonly files: readonly FileChange[] } | { readonly error: string } | undefined;

/** Shows what the runs were given: how their inputs, models and files differ. */
export function ChangeList(props: {
  readonly a: RunInfo;
  readonly b: RunInfo;
  readonly open: string | undefined;
  readonly onOpen: (path: string | undefined) => void;
}) {
  const { a, b, open, onOpen } = props;
  const loaded = useFileChanges(a, b);
  return (
    <div className="flex flex-col gap-4 p-3">
      <section aria-label="Input">
        <Title>Input</Title>
        {a.message === b.message ? (
          <PlainText label="The same in both" text={a.message} />
        ) : (
          <TextDiff label="− A, + B" before={a.message} after={b.message} />
        )}
        {(a.isCut === true || b.isCut === true) && (
          <p className="mt-1 text-muted text-xs">Only the beginning of a long input is compared here.</p>
        )}
      </section>
      {a.model !== b.model && (
        <section aria-label="Requested model">
          <Title>Requested model</Title>
          <p className="text-ink text-xs">
            {a.model ?? 'as in the cards'} → {b.model ?? 'as in the cards'}
          </p>
        </section>
      )}
      <section aria-label="Cards and other files">
        <Title>Cards and other files</Title>
        <Files loaded={loaded} runs={[a, b]} open={open} onOpen={onOpen} />
      </section>
    </div>
  );
}

function Title({ children }: { readonly children: string }) {
  return <h3 className="mb-1 font-medium text-ink text-sm">{children}</h3>;
}

function useFileChanges(a: RunInfo, b: RunInfo): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    loadFileChanges(a.id, b.id, stop.signal).then(
      (files) => setLoaded({ files }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
      },
    );
    return () => stop.abort();
  }, [a.id, b.id]);
  return loaded;
}

function Files(props: {
  readonly loaded: Loaded;
  readonly runs: readonly RunInfo[];
  readonly open: string | undefined;
  readonly onOpen: (path: string | undefined) => void;
}) {
  const { loaded, runs, open, onOpen } = props;
  if (loaded === undefined) return <p className="text-muted text-xs">Loading</p>;
  if ('error' in loaded) return <p className="text-bad text-xs">{loaded.error}</p>;
  const isImported = runs.some(({ source }) => source !== ownSource);
  if (loaded.files.length === 0) {
    return <p className="text-muted text-xs">{isImported ? 'An imported run has no files.' : 'The same in both.'}</p>;
  }
  return (
    <>
      {isImported && <p className="mb-1 text-muted text-xs">An imported run has no files of its own to compare.</p>}
      <FileChanges files={loaded.files} sides={['A', 'B']} open={open} onOpen={onOpen} />
    </>
  );
}
