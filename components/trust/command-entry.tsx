'use client';

import Link from 'next/link';
import { useState } from 'react';
import { CommandDetails, commandTitles } from '@/components/commands/command-details';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { TimeAgo } from '@/components/ui/time-ago';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { CommandFile, CommandKind } from '@/lib/cards/trust/command';

export interface DecidedCommand {
  readonly id: string;
  readonly kind: CommandKind;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly environment: readonly string[];
  readonly files: readonly CommandFile[];
  readonly moreFiles: number;
  readonly status: 'asked' | 'approved' | 'denied' | 'revoked';
  readonly note: string;
  readonly by: string;
  readonly at: number;
  readonly warnings: readonly string[];
  readonly changes: readonly string[] | undefined;
  readonly uses: readonly {
    readonly project: string;
    readonly projectName: string;
    readonly usedBy: readonly string[];
    readonly askedBy: string | null;
    readonly askedAt: number | null;
  }[];
}

type Decision = 'approve' | 'deny' | 'revoke';

export interface CommandEntryProps {
  readonly command: DecidedCommand;
  readonly onChanged: (command: DecidedCommand) => void;
  /** Rejects with a sentence. */
  readonly onDecide: (id: string, decision: Decision, note: string) => Promise<DecidedCommand>;
  readonly onReadFile: (id: string, path: string) => Promise<string>;
}

const states: Readonly<Record<DecidedCommand['status'], { readonly word: string; readonly tone: Tone }>> = {
  asked: { word: 'Asked', tone: 'warn' },
  approved: { word: 'Approved', tone: 'ok' },
  denied: { word: 'Denied', tone: 'bad' },
  revoked: { word: 'Revoked', tone: 'neutral' },
};

/** One command: what starts, where it is used, who asks, and the decision. */
export function CommandEntry({ command, onChanged, onDecide, onReadFile }: CommandEntryProps) {
  const { id, kind, name, status, by, at, note, changes, uses } = command;
  const { word, tone } = states[status];
  return (
    <li aria-label={`${commandTitles[kind]} ${name}`} className="flex min-w-0 flex-col gap-2 px-4 py-3 text-sm">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="min-w-0 break-words font-medium text-ink">
          {commandTitles[kind]} {escapeHidden(name)}
        </span>
        <Badge tone={tone}>{word}</Badge>
        <span className="min-w-0 break-words text-muted text-xs">
          by {escapeHidden(by)} <TimeAgo at={new Date(at).toISOString()} />
        </span>
      </p>
      <CommandDetails command={command} />
      {note === '' ? null : <p className="break-words text-muted text-xs">Note: {escapeHidden(note)}</p>}
      {changes === undefined ? null : (
        <div className="text-xs">
          <p className="text-muted">Since the one that was approved:</p>
          <ul className="list-disc pl-5 text-ink">
            {changes.map((change) => (
              <li key={change} className="break-words">
                {escapeHidden(change)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Files command={command} onRead={(path) => onReadFile(id, path)} />
      <ul aria-label="Where it is used" className="text-muted text-xs">
        {uses.map(({ project, projectName, usedBy, askedBy }) => (
          <li key={project} className="break-words">
            <Link href={`/p/${project}`} className="text-accent underline underline-offset-2">
              {escapeHidden(projectName)}
            </Link>
            : {escapeHidden(usedBy.join(', '))}
            {askedBy === null ? '' : `, asked by ${escapeHidden(askedBy)}`}
          </li>
        ))}
      </ul>
      <Decide command={command} onChanged={onChanged} onDecide={onDecide} />
    </li>
  );
}

function Decide({ command, onChanged, onDecide }: Pick<CommandEntryProps, 'command' | 'onChanged' | 'onDecide'>) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState<Decision>();
  const [error, setError] = useState<string>();
  const { id, kind, name, status } = command;
  const about = `${commandTitles[kind]} ${name}`;
  const send = async (decision: Decision) => {
    if (busy !== undefined) return;
    setBusy(decision);
    setError(undefined);
    try {
      const decided = await onDecide(id, decision, note);
      setNote('');
      onChanged(decided);
    } catch (caught) {
      setError(caught instanceof Error ? caught.message : String(caught));
    }
    setBusy(undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        aria-label={`Note about ${about}`}
        placeholder="Note for those who asked"
        maxLength={2000}
        className="min-w-40 flex-1"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {status === 'approved' ? (
        <Button
          title="Holds for starts from now on. A process that runs is not ended; stop its run for that."
          size="sm"
          busy={busy === 'revoke'}
          aria-label={`Revoke ${about}`}
          onClick={() => void send('revoke')}
        >
          Revoke
        </Button>
      ) : (
        <>
          {status === 'asked' ? (
            <Button size="sm" busy={busy === 'deny'} aria-label={`Deny ${about}`} onClick={() => void send('deny')}>
              Deny
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="primary"
            busy={busy === 'approve'}
            aria-label={`Approve ${about}`}
            onClick={() => void send('approve')}
          >
            Approve
          </Button>
        </>
      )}
      {error === undefined ? null : (
        <p role="alert" className="w-full text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  );
}

function Files(props: { readonly command: DecidedCommand; readonly onRead: (path: string) => Promise<string> }) {
  const { files, moreFiles } = props.command;
  const [shown, setShown] = useState<{ readonly path: string; readonly text: string }>();
  if (files.length === 0) return null;
  const open = async (path: string) => {
    const text = await props.onRead(path).catch((caught: unknown) => (caught instanceof Error ? caught.message : ''));
    setShown({ path, text });
  };
  return (
    <details className="text-xs">
      <summary className="cursor-pointer rounded-sm text-muted hover:text-ink">
        Files it may load: {files.length + moreFiles}
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5">
        {files.map(({ path, hash }) => (
          <li key={path} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {path.endsWith('/') ? (
              <span className="break-all font-mono text-ink">{escapeHidden(path)}</span>
            ) : (
              <button
                type="button"
                className="cursor-pointer break-all rounded-sm text-left font-mono text-accent underline-offset-2 hover:underline"
                onClick={() => void open(path)}
              >
                {escapeHidden(path)}
              </button>
            )}
            <code className="font-mono text-2xs text-faint" title={hash}>
              {hash.slice(0, 12)}
            </code>
          </li>
        ))}
      </ul>
      {moreFiles === 0 ? null : <p className="mt-1 text-muted">And {moreFiles} more, which the hash covers too.</p>}
      {shown === undefined ? null : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: who uses no mouse must be able to scroll it
          tabIndex={0}
          aria-label={`Text of ${shown.path}`}
          className="mt-2 max-h-80 overflow-auto rounded border bg-sunken px-3 py-2"
        >
          <pre className="whitespace-pre-wrap break-words font-mono text-ink">{escapeHidden(shown.text)}</pre>
        </section>
      )}
    </details>
  );
}
