import { ArrowDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import type { TurnInfo } from '@/lib/base/conversation';
import { isActive } from '@/lib/trace/run-state';
import { PersonMessage, Turn } from './turn';
import { useBottom } from './use-bottom';

/** A message on its way to the server. */
export interface SendingMessage {
  readonly key: number;
  readonly message: string;
  readonly files: readonly { readonly name: string; readonly mediaType: string; readonly bytes: number }[];
}

export interface ThreadProps {
  /** Names the conversation, so that another one begins at its end. */
  readonly name: string;
  readonly agent: string;
  readonly turns: readonly TurnInfo[];
  readonly sending: readonly SendingMessage[];
  /** Reads earlier turns; `undefined` if there are none. */
  readonly onEarlier: (() => Promise<unknown>) | undefined;
  readonly isReading: boolean;
  readonly onChanged: () => void;
  readonly onStop: (run: string) => void;
  readonly onAgain: (turn: TurnInfo) => void;
  /** Shown in place of turns. */
  readonly empty: ReactNode;
}

/** A turn that goes on takes a connection of the browser, of which there are six. */
const mostFollowed = 2;

/** The turns of a conversation. It stays at its end while an answer grows, unless the person has scrolled up. */
export function Thread(props: ThreadProps) {
  const { name, agent, turns, sending, onEarlier, isReading, onChanged, onStop, onAgain, empty } = props;
  const active = turns.filter(({ status }) => isActive(status)).map(({ runId }) => runId);
  const followed = new Set(active.slice(0, mostFollowed));
  const bottom = useBottom(name, turns[0]?.runId, active.length > 0);
  const earlier = async () => {
    bottom.holdPlace();
    await onEarlier?.();
  };
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={bottom.scroller}
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="h-full overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div ref={bottom.content} className="mx-auto flex min-h-full w-full max-w-3xl flex-col gap-7 px-3 py-5 sm:px-6">
          {onEarlier !== undefined && (
            <div className="flex justify-center">
              <Button
                size="sm"
                busy={isReading}
                icon={<ChevronUp aria-hidden className="size-3.5" />}
                onClick={() => void earlier()}
              >
                Earlier messages
              </Button>
            </div>
          )}
          {turns.map((turn) => (
            <Turn
              key={turn.runId}
              {...{ turn, agent, onChanged, onStop, onAgain }}
              isFollowed={followed.has(turn.runId)}
            />
          ))}
          {sending.map(({ key, message, files }) => (
            <article key={key} aria-label="Message that is being sent" className="flex flex-col gap-1 opacity-70">
              <PersonMessage message={message} attachments={files} at={undefined} />
              <p className="text-right text-2xs text-muted">Sending</p>
            </article>
          ))}
          {turns.length === 0 && sending.length === 0 && empty}
        </div>
      </section>
      {bottom.isNewBelow && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            className="pointer-events-auto rounded-full! shadow-pop"
            icon={<ArrowDown aria-hidden className="size-3.5" />}
            onClick={bottom.toBottom}
          >
            New below
          </Button>
        </div>
      )}
    </div>
  );
}
