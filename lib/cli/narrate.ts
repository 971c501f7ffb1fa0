import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';

/** Returns one line of progress for a terminal, or empty text for events that users do not need. */
export function narrate(event: RunEvent): string {
  switch (event.kind) {
    case 'run.started':
      if (event.entryAgent === '') return '';
      return event.scripted ? `${event.entryAgent} · scripted: answers are played back\n` : `${event.entryAgent}\n`;
    case 'instance.queued':
      return event.attempt === undefined ? '' : `${event.path} is attempt ${event.attempt}\n`;
    case 'instance.started':
      return `${event.path} started\n`;
    case 'instance.ended':
      return event.status === 'completed'
        ? `${event.path} ${event.cached ? 'answered as before (cached)' : 'done'}\n`
        : `${event.path} ${event.status}: ${event.error?.message ?? ''}\n`;
    case 'tool.started':
      return event.source === 'agent' ? '' : `${event.path} → ${event.toolName}\n`;
    case 'tool.ended':
      return event.result.isError ? `${event.path} ✗ ${firstOf(textOf(event.result.content))}\n` : '';
    case 'hook.ended':
      return event.error === undefined ? '' : `${event.path} ✗ hook: ${event.error}\n`;
    case 'session.opened':
      return `${event.path} ${event.version === 0 ? 'opens' : 'goes on with'} session ${event.sessionId}\n`;
    case 'state.changed':
      return event.outcome === 'refused' ? `${event.path} ✗ state: ${event.reason ?? 'refused'}\n` : '';
    case 'artifact.saved':
      return `${event.path} saved ${event.name} version ${event.version}\n`;
    case 'log':
      if (event.code === 'tool_progress') return `${event.path} … ${event.message}\n`;
      return event.level === 'debug' || event.level === 'info' ? '' : `${event.level}: ${event.message}\n`;
    default:
      return '';
  }
}

const mostShown = 2_000;

function firstOf(text: string): string {
  return text.length <= mostShown
    ? text
    : `${text.slice(0, mostShown)} [first ${mostShown} of ${text.length} characters]`;
}
