'use client';

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { jsonHref, loadCallJson } from '@/lib/client/model-calls';
import type { PartPages } from '@/lib/client/run-source';
import type { ModelCallProps } from './detail-props';
import { Payload } from './payload';

type Loaded = { readonly text: string; readonly pages: PartPages | undefined } | { readonly error: string } | undefined;

/** Shows request and answer of a model call as one JSON text. */
export function ModelCallJson({ runId, seq, endSeq, withAnswer }: ModelCallProps) {
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that ends is loaded again
  useEffect(() => {
    const stop = new AbortController();
    loadCallJson({ runId, seq, withAnswer }, stop.signal).then(setLoaded, (error: unknown) => {
      if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
    });
    return () => stop.abort();
  }, [runId, seq, endSeq, withAnswer]);
  if (loaded === undefined) return <p className="text-muted text-xs">Loading</p>;
  if ('error' in loaded) return <p className="text-muted text-xs">{loaded.error}</p>;
  return (
    <>
      <Payload title="Request and answer" value={loaded.text} pages={loaded.pages} />
      {loaded.pages === undefined && (
        <a
          href={jsonHref({ runId, seq, withAnswer })}
          download
          className={classNames(buttonClass('ghost', 'sm'), 'self-start')}
        >
          <Download aria-hidden className="size-3.5" />
          Download
        </a>
      )}
    </>
  );
}
