import { Download } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { sourceName } from '@/lib/trace/run-source';

/** Names the framework that recorded an imported run. Shows nothing for a run of Callboard. */
export function SourceBadge({ source }: { readonly source: string }) {
  const name = sourceName(source);
  if (name === undefined) return null;
  return (
    <Badge icon={<Download aria-hidden />} title={`Imported: recorded by ${name}, not by Callboard`}>
      {name}
    </Badge>
  );
}
