import { History } from 'lucide-react';
import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import type { RunInfo } from '@/lib/client/run-info';

type Again = NonNullable<RunInfo['again']>;

const kindWords: Readonly<Record<Again['kind'], string>> = {
  again: 'again',
  from: 'from a step',
  instance: 'one instance',
};

const linkClass = 'font-mono text-2xs text-accent underline-offset-2 hover:underline';

/** Links a run to the one that it was made from, and to those that were made from it. */
export function AgainLinks({ info: { id: own, again, madeAgain = [] } }: { readonly info: RunInfo }) {
  return (
    <>
      {again !== undefined && (
        <span>
          Again of{' '}
          <Link href={`/r/${again.of}`} className={linkClass}>
            {shortId(again.of)}
          </Link>
          {again.kind !== 'again' && `, ${kindWords[again.kind]}`}
          {' · '}
          <Link href={`/compare?a=${again.of}&b=${own}`} className="text-accent underline underline-offset-2">
            Compare both
          </Link>
        </span>
      )}
      {madeAgain.length > 0 && (
        <span>
          Run again as{' '}
          {madeAgain.map(({ id, kind }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link href={`/r/${id}`} title={kindWords[kind]} className={linkClass}>
                {shortId(id)}
              </Link>
            </span>
          ))}
        </span>
      )}
    </>
  );
}

/** Says in a list that a run was made from another one. */
export function AgainBadge({ again }: { readonly again: RunInfo['again'] }) {
  if (again === undefined) return null;
  const how = again.kind === 'again' ? '' : ` (${kindWords[again.kind]})`;
  return (
    <Badge icon={<History aria-hidden />} title={`Made from the run ${again.of}${how}`}>
      Again of {shortId(again.of)}
    </Badge>
  );
}

/** The beginning of an id, as pages show it. */
function shortId(id: string): string {
  return id.slice(0, 8);
}
