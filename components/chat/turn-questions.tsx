import { QuestionCard } from '@/components/people/question-card';
import { eventOf } from '@/components/run/event-of';
import { type LiveTrace, useFetched } from '@/components/run/use-run';
import { openQuestions } from '@/lib/trace/questions';

/** More questions at once are answered one after the other; the inbox lists all of them. */
const mostShown = 5;

/** The questions of a turn that wait for an answer, each with everything that one needs to decide. */
export function TurnQuestions({ run }: { readonly run: LiveTrace }) {
  const { trace, cache } = run;
  const open = openQuestions(trace);
  const events = useFetched(
    cache,
    open.slice(0, mostShown).map((span) => trace.spans.startSeq.at(span)),
  );
  const items = events.flatMap((event) => eventOf(event, 'person.asked')?.item ?? []);
  return (
    <section aria-label="Questions to answer" className="flex min-w-0 flex-col gap-2">
      {items.map((item, at) => (
        <div key={item} className="min-w-0 rounded-lg border border-warn bg-surface">
          <QuestionCard id={item} version={open.length} inRun withKeys={at === 0} />
        </div>
      ))}
      {open.length > items.length && items.length > 0 && (
        <p className="text-muted text-xs">and {open.length - items.length} more, which show when these are answered</p>
      )}
    </section>
  );
}
