import type { EventCache } from '@/lib/client/event-cache';
import type { ShortEvent } from '@/lib/trace/short-event';
import type { Lane, Trace } from '@/lib/trace/trace';
import type { AgainServices } from './again-services';
import type { LiveSaid } from './live-said';

/** What the detail of a selected span needs. */
export interface SpanDetailProps {
  readonly trace: Trace;
  readonly span: number;
  readonly now: number;
  readonly cache: EventCache<ShortEvent>;
  /** What models say in calls that go on. */
  readonly said: LiveSaid;
  readonly onSelect: (span: number) => void;
  /** The play-head, in microseconds since the origin. Decisions after it do not count. */
  readonly moment?: number | undefined;
  /** The project of the run, for links to its editor. Without it there are none. */
  readonly projectId?: string;
  /** Set if steps of the run can be run again. */
  readonly again?: AgainServices | undefined;
  /** Shows input and output before times and ids, where there is little room. */
  readonly textsFirst?: boolean;
}

/** What the parts of a detail need that show the decisions of one instance. */
export interface StoryProps {
  readonly trace: Trace;
  readonly lane: Lane;
  readonly onSelect: (span: number) => void;
  /** Decisions after this moment do not count. */
  readonly moment: number | undefined;
  /** The selected decision, which is highlighted. */
  readonly span?: number;
}

/** What the view of one model call needs. */
export interface ModelCallProps {
  readonly runId: string;
  /** The number of the event that started the call. */
  readonly seq: number;
  /** The number of the event that ended it; 0 while it is open. The call is loaded again when it ends. */
  readonly endSeq: number;
  /** False at a moment before the answer. */
  readonly withAnswer: boolean;
}
