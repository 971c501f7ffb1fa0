import { Badge, type Tone } from '@/components/ui/badge';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { TrustCommand } from '@/lib/client/project-trust';
import { CommandDetails, commandTitles } from './command-details';

const states: Readonly<Record<TrustCommand['status'], { readonly word: string; readonly tone: Tone }>> = {
  new: { word: 'Not approved', tone: 'warn' },
  asked: { word: 'Asked', tone: 'busy' },
  denied: { word: 'Denied', tone: 'bad' },
  revoked: { word: 'Revoked', tone: 'bad' },
  approved: { word: 'Approved', tone: 'ok' },
};

/** The commands of a folder that wait for an administrator, each with its state. */
export function WaitingCommands({ commands }: { readonly commands: readonly TrustCommand[] }) {
  return (
    <section aria-label="Needs an administrator" className="min-w-0">
      <h3 className="mb-1.5 font-medium text-ink">Needs an administrator</h3>
      <ul className="divide-y rounded-lg border">
        {commands.map((command) => {
          const { id, kind, name, status, by, note, usedBy } = command;
          const { word, tone } = states[status];
          return (
            <li key={id} className="flex flex-col gap-1.5 px-3 py-2">
              <p className="flex min-w-0 flex-wrap items-baseline gap-2 font-medium text-ink">
                <span className="min-w-0 break-words">
                  {commandTitles[kind]} {escapeHidden(name)}
                </span>
                <Badge tone={tone}>{word}</Badge>
              </p>
              <CommandDetails command={command} />
              <p className="break-words text-muted text-xs">
                Used by {escapeHidden(usedBy.join(', '))}.{by === undefined ? '' : ` ${word} by ${escapeHidden(by)}.`}
                {note === '' ? '' : ` Note: ${escapeHidden(note)}`}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
