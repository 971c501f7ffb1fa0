import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import type { RunOutcome } from '@/lib/runtime/request/run-request';
import { narrate } from './narrate';

/** Where a chat writes: the answers, and notes beside them. */
export interface ChatScreen {
  answer(text: string): void;
  note(text: string): void;
  /** True if answers are written while they are made. Otherwise only whole ones are. */
  readonly streams: boolean;
}

/** Shows one turn: the text of the root agent as it comes, and a line for each delegation and for what went wrong. */
export interface TurnOutput {
  event(event: RunEvent): void;
  delta(delta: ModelDelta): void;
  end(outcome: RunOutcome): void;
}

export function turnOutput({ answer, note, streams }: ChatScreen): TurnOutput {
  const started = new Map<string, number>();
  let root: string | undefined;
  /** The text of the root's present model call that is on the screen. */
  let shown = '';

  const endLine = () => {
    if (shown !== '' && !shown.endsWith('\n')) answer('\n');
  };

  return {
    event(event) {
      if (event.kind === 'instance.queued' && event.parent === undefined) root = event.path;
      if (event.kind === 'model.started' && event.path === root) {
        endLine();
        shown = '';
      }
      const line = lineOf(event, started, root);
      if (line === '') return;
      // A note on the same terminal must not stand within a line of the answer.
      if (streams && shown !== '' && !shown.endsWith('\n')) {
        answer('\n');
        shown += '\n';
      }
      note(line);
    },
    delta({ path, part, text, incremental }) {
      if (!streams || path !== root || part !== undefined) return;
      const more = incremental ? text : text.startsWith(shown) ? text.slice(shown.length) : '';
      shown += more;
      answer(more);
    },
    end({ status, answer: whole = '', error }) {
      const isShown = status === 'completed' && shown.trim() !== '' && shown.trim() === whole.trim();
      endLine();
      if (status === 'completed' && !isShown) answer(`${whole}\n`);
      if (status === 'cancelled') note('Stopped. The conversation is as it was before this message.\n');
      if (status === 'failed') {
        note(`Failed: ${error?.message ?? ''}\nThe conversation is as it was before this message.\n`);
      }
    },
  };
}

/** A delegation gets its line when it ends. */
function lineOf(event: RunEvent, started: Map<string, number>, root: string | undefined): string {
  switch (event.kind) {
    case 'instance.started':
      started.set(event.path, event.at);
      return '';
    case 'instance.ended': {
      if (event.path === root) return '';
      const seconds = ((event.at - (started.get(event.path) ?? event.at)) / 1000).toFixed(1);
      const end = event.status === 'completed' ? 'done' : `${event.status}: ${event.error?.message ?? ''}`;
      return `  ${event.path} ${event.cached ? 'answered as before' : end} (${seconds} s)\n`;
    }
    case 'log':
      return event.level === 'warning' || event.level === 'error' ? `  ${narrate(event)}` : '';
    default:
      return '';
  }
}
