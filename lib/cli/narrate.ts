import type { RunEvent } from '@/lib/runtime/events';
import { textOf } from '@/lib/runtime/messages';

/** One line of progress for a terminal, or nothing for events that only machines want. */
export function narrate(event: RunEvent): string {
  switch (event.kind) {
    case 'run.started':
      if (event.entryAgent === '') return '';
      return event.scripted ? `${event.entryAgent} · scripted: answers are played back\n` : `${event.entryAgent}\n`;
    case 'instance.started':
      return `${event.path} started\n`;
    case 'instance.ended':
      return event.status === 'completed'
        ? `${event.path} done\n`
        : `${event.path} ${event.status}: ${event.error?.message ?? ''}\n`;
    case 'tool.started':
      return event.source === 'agent' ? '' : `${event.path} → ${event.toolName}\n`;
    case 'tool.ended':
      return event.result.isError ? `${event.path} ✗ ${textOf(event.result.content)}\n` : '';
    case 'log':
      if (event.code === 'tool_progress') return `${event.path} … ${event.message}\n`;
      return event.level === 'debug' || event.level === 'info' ? '' : `${event.level}: ${event.message}\n`;
    default:
      return '';
  }
}
