import { useState } from 'react';
import { eventOf } from '@/components/run/event-of';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { Button } from '@/components/ui/button';
import { type ThreadLine, threadLines } from '@/lib/trace/thread-lines';
import { AskedLine, SaidBefore } from './asked-line';
import { CallLine } from './call-line';

export interface LineListProps {
  readonly run: LiveTrace;
  readonly lane: number;
  /** How deep below the turn: 0 for its own lines. */
  readonly depth: number;
}

/** More lines than this are shown on demand: a turn may have thousands of calls. */
const linesAtOnce = 40;
/** Deeper calls are in the timeline of the run. */
const mostDepth = 6;

/** Shows what one instance did: what it said before it called, its calls, and its children. */
export function LineList({ run, lane, depth }: LineListProps) {
  const [most, setMost] = useState(linesAtOnce);
  const all = threadLines(run.trace, lane);
  const lines = all.slice(0, most);
  const events = useFetched(
    run.cache,
    lines.map((line) => eventSeqOf(run, line)),
  );
  if (lines.length === 0) return null;
  return (
    <ol aria-label="Steps" className="flex min-w-0 flex-col">
      {lines.map((line, at) => {
        const event = events[at];
        return (
          <li key={line.span} className="min-w-0">
            {line.kind === 'said' ? (
              <SaidBefore event={eventOf(event, 'model.ended')} />
            ) : line.kind === 'asked' ? (
              <AskedLine run={run} span={line.span} event={eventOf(event, 'person.answered')} />
            ) : (
              <CallLine
                {...{ run, line }}
                nested={(child) => depth < mostDepth && <LineList run={run} lane={child} depth={depth + 1} />}
                input={eventOf(event, 'instance.started')?.input}
                args={eventOf(event, 'tool.started')?.arguments}
              />
            )}
          </li>
        );
      })}
      {all.length > most && (
        <li className="py-1">
          <Button size="sm" onClick={() => setMost(most + linesAtOnce)}>
            Show {Math.min(linesAtOnce, all.length - most)} more of {all.length}
          </Button>
        </li>
      )}
    </ol>
  );
}

/** The event that has the words of a line: what a child was asked, the arguments of a tool, what was said, who answered. */
function eventSeqOf({ trace }: LiveTrace, line: ThreadLine): number {
  const { spans, lanes } = trace;
  switch (line.kind) {
    case 'delegation':
      return spans.startSeq.at(lanes[line.lane ?? -1]?.span ?? line.span);
    case 'tool':
      return spans.startSeq.at(line.span);
    case 'said':
    case 'asked':
      return spans.endSeq.at(line.span);
  }
}
