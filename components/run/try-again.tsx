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
