import { Unplug } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { failedWords } from '@/lib/trace/failed-words';

/** Shows beside the status of a run that it went on without some of its servers. */
export function FailedBadge({ failed }: { readonly failed: readonly { readonly message: string }[] | undefined }) {
  if (failed === undefined || failed.length === 0) return null;
  return (
    <Badge tone="bad" icon={<Unplug aria-hidden />} title={failed.map(({ message }) => message).join('\n')}>
      {failedWords(failed)}
    </Badge>
  );
}
