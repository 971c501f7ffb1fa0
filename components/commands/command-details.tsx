import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { TrustCommand } from '@/lib/client/project-trust';

type Shown = Pick<TrustCommand, 'kind' | 'command' | 'args' | 'environment' | 'warnings'> & {
  readonly cwd?: string | undefined;
};

/** Shows what starts: the program, each argument by itself, and the names in its environment. */
export function CommandDetails({ command }: { readonly command: Shown }) {
  const { kind, args, environment, cwd, warnings } = command;
  const words = kind === 'stdio' ? [command.command, ...args] : args;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {words.length === 0 ? null : (
        <ol aria-label={kind === 'python' ? 'Functions' : 'Program and arguments'} className="flex flex-wrap gap-1">
          {words.map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place of an argument is what it is
            <li key={index} className="min-w-0 max-w-full">
              <code className="inline-block max-w-full whitespace-pre-wrap rounded-sm border bg-sunken px-1.5 py-0.5 font-mono text-ink text-xs [overflow-wrap:anywhere]">
                {word === '' ? '""' : escapeHidden(word)}
              </code>
            </li>
          ))}
        </ol>
      )}
      {cwd === undefined ? null : <Line>Starts in the folder {escapeHidden(cwd)}.</Line>}
      {environment.length === 0 ? null : <Line>Variables: {escapeHidden(environment.join(', '))}.</Line>}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-ink text-xs">
          <TriangleAlert size={14} aria-hidden className="mt-px shrink-0 text-warn" />
          <span className="min-w-0 break-words">{escapeHidden(warning)}</span>
        </p>
      ))}
    </div>
  );
}

function Line({ children }: { readonly children: ReactNode }) {
  return <p className="break-words text-muted text-xs">{children}</p>;
}

export const commandTitles: Readonly<Record<TrustCommand['kind'], string>> = {
  stdio: 'Server',
  python: 'Python',
  shell: 'Shell of',
};
