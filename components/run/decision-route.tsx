import { CircleDot, Dot, SignalHigh, SignalLow, SignalMedium } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import type { DecisionOf } from '@/lib/trace/decisions';

/** Shows the agents that a router could choose from, with the chosen one and how sure the router was. */
export function Candidates({ decision }: { readonly decision: DecisionOf<'route'> }) {
  const { agent, candidates } = decision;
  // A router may choose an agent that was not offered, and a long list is cut.
  const listed = candidates.includes(agent) ? candidates : [agent, ...candidates];
  return (
    <section className="min-w-0">
      <h3 className="flex h-7 items-center font-medium text-2xs text-muted">
        {candidates.length === 1 ? '1 candidate' : `${candidates.length} candidates`}
      </h3>
      <ul aria-label="Candidates" className="max-h-72 overflow-y-auto rounded border text-xs">
        {listed.map((name) => {
          const chosen = name === agent;
          return (
            <li
              key={name}
              className={classNames(
                'flex min-h-7 items-center gap-2 border-t px-2 py-1 first:border-t-0',
                chosen && 'bg-accent-soft',
              )}
            >
              {chosen ? (
                <CircleDot aria-hidden className="size-3.5 shrink-0 text-accent" />
              ) : (
                <Dot aria-hidden className="size-3.5 shrink-0 text-faint" />
              )}
              <span className={classNames('min-w-0 break-words', chosen ? 'font-medium text-ink' : 'text-muted')}>
                {name}
              </span>
              {chosen && (
                <>
                  <span className="text-accent">chosen</span>
                  <span className="flex-1" />
                  <Confidence of={decision.confidence} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const levels = { high: SignalHigh, medium: SignalMedium, low: SignalLow };

function Confidence({ of }: { readonly of: string }) {
  if (of === '') return null;
  const level = of.toLowerCase();
  const Icon = level === 'high' || level === 'medium' || level === 'low' ? levels[level] : undefined;
  return (
    <Badge tone="neutral" icon={Icon && <Icon aria-hidden />}>
      confidence {of}
    </Badge>
  );
}
