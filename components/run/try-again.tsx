import { EmptyState } from '@/components/ui/empty-state';
import { ReloadLink } from '@/components/ui/later';
import type { FeedState } from './run-feed';

/** Says what happens after a failure to load a run, and what a person can do. */
export function TryAgain({ lacksCode }: Pick<FeedState, 'lacksCode'>) {
  if (lacksCode !== true) return <>Callboard tries again.</>;
  return (
    <>
      Callboard tries again. <ReloadLink />
    </>
  );
}

/** Stands in the place of a run that could not be loaded. */
export function RunNotLoaded({ run }: { readonly run: Pick<FeedState, 'error' | 'lacksCode'> }) {
  return (
    <EmptyState title="The run could not be loaded">
      {run.error} <TryAgain lacksCode={run.lacksCode} />
    </EmptyState>
  );
}
