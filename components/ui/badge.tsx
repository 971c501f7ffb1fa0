import { Bot, Braces, Plug, SquareTerminal, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

export type Tone =
  | 'neutral'
  | 'accent'
  | 'ok'
  | 'bad'
  | 'warn'
  | 'busy'
  | 'agent'
  | 'server'
  | 'function'
  | 'builtin'
  | 'hook'
  | 'model'
  | 'queued';

const tones: Record<Tone, string> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  busy: 'bg-busy-soft text-busy',
  agent: 'bg-agent-soft text-agent',
  server: 'bg-server-soft text-server',
  function: 'bg-function-soft text-function',
  builtin: 'bg-builtin-soft text-builtin',
  hook: 'bg-hook-soft text-hook',
  model: 'bg-model-soft text-ink',
  queued: 'bg-queued-soft text-ink',
};

export interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A small label. Its colour repeats what the icon or the word already says. */
export function Badge({ tone = 'neutral', icon, title, className, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-5 max-w-full items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-2xs tabular-nums [&>svg]:size-3 [&>svg]:shrink-0',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

export type Kind = 'agent' | 'server' | 'function' | 'builtin' | 'hook';

const kinds: Record<Kind, { icon: typeof Bot; word: string }> = {
  agent: { icon: Bot, word: 'Agent' },
  server: { icon: Plug, word: 'MCP server' },
  function: { icon: Braces, word: 'Function' },
  builtin: { icon: SquareTerminal, word: 'Built-in' },
  hook: { icon: Webhook, word: 'Hook' },
};

/** The icon of a kind, the same in canvas, outline and timeline. */
export function KindIcon({ kind, className }: { readonly kind: Kind; readonly className?: string }) {
  const Icon = kinds[kind].icon;
  return <Icon aria-hidden className={classNames('size-4 shrink-0', className)} />;
}

export function KindBadge({ kind, children }: { readonly kind: Kind; readonly children?: ReactNode }) {
  return (
    <Badge tone={kind} icon={<KindIcon kind={kind} />}>
      {children ?? kinds[kind].word}
    </Badge>
  );
}
