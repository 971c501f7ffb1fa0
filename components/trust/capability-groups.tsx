'use client';

import { Braces, FileCode, Globe, KeyRound, type LucideIcon, SquareTerminal, Terminal } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { type CapabilityKind, capabilityKinds } from '@/lib/cards/trust/capability';
import type { TrustItem } from '@/lib/client/project-trust';

const groups: Readonly<Record<CapabilityKind, { readonly title: string; readonly icon: LucideIcon }>> = {
  command: { title: 'Programs it starts', icon: Terminal },
  file: { title: 'Files that those programs may run', icon: FileCode },
  python: { title: 'Python that runs', icon: Braces },
  shell: { title: 'Agents that may run any command', icon: SquareTerminal },
  host: { title: 'Addresses it calls', icon: Globe },
  variable: { title: 'Variables of your environment it asks for', icon: KeyRound },
};

export interface CapabilityGroupsProps {
  readonly items: readonly TrustItem[];
  /** True if each item shows whether it is new or has changed. */
  readonly marked: boolean;
  readonly onGoTo: (item: TrustItem) => void;
}

/** Lists items by kind, each with the place where it is declared. */
export function CapabilityGroups(props: CapabilityGroupsProps) {
  return capabilityKinds.map((kind) => {
    const items = props.items.filter((item) => item.kind === kind);
    return items.length === 0 ? null : <Group key={kind} kind={kind} {...props} items={items} />;
  });
}

/** Only this many items are shown at first, because a folder may bring thousands of files. */
const shownAtFirst = 30;

function Group({ kind, items, marked, onGoTo }: CapabilityGroupsProps & { readonly kind: CapabilityKind }) {
  const [all, setAll] = useState(false);
  const { title, icon: Icon } = groups[kind];
  const shown = all ? items : items.slice(0, shownAtFirst);
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1.5 flex items-center gap-1.5 font-medium text-ink">
        <Icon size={15} aria-hidden className="shrink-0 text-muted" />
        {title}
        <span className="font-normal text-faint tabular">{items.length}</span>
      </h3>
      <ul className="divide-y rounded-lg border">
        {shown.map((item) => (
          <Item key={item.hash} item={item} marked={marked} onGoTo={onGoTo} />
        ))}
      </ul>
      {shown.length < items.length ? (
        <Button size="sm" variant="ghost" className="mt-1" onClick={() => setAll(true)}>
          {shown.length} of {items.length} shown. Show all
        </Button>
      ) : null}
    </section>
  );
}

function Item(props: Pick<CapabilityGroupsProps, 'marked' | 'onGoTo'> & { readonly item: TrustItem }) {
  const { item } = props;
  const { head, rest } = wordsOf(item);
  const place = item.name.endsWith('/') ? undefined : escapeHidden(`${item.file}:${item.line}`);
  return (
    <li className="px-3 py-2">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <Head text={escapeHidden(head)} />
        {props.marked && item.change !== 'confirmed' ? (
          <Badge tone="warn">{item.change === 'new' ? 'New' : 'Changed'}</Badge>
        ) : null}
      </p>
      <p className="mt-0.5 break-words text-muted text-xs">
        {escapeHidden(rest.join(' '))}
        {place === undefined ? null : (
          <>
            {' '}
            <a
              href={`#${place}`}
              aria-label={`Open ${place}`}
              className="inline-block max-w-full break-all font-mono text-accent underline-offset-2 hover:underline"
              onClick={(event) => {
                event.preventDefault();
                props.onGoTo(item);
              }}
            >
              {place}
            </a>
          </>
        )}
      </p>
    </li>
  );
}

/** Shows a command line, which may have any length. A long one scrolls in place, also by keyboard. */
function Head({ text }: { readonly text: string }) {
  const look = 'min-w-0 font-mono text-ink text-xs [overflow-wrap:anywhere]';
  if (text.length <= 600) return <code className={look}>{text}</code>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who uses no mouse must be able to scroll it
    <code className={`${look} max-h-32 overflow-y-auto`} tabIndex={0}>
      {text}
    </code>
  );
}

/** Returns the text of an item that is emphasised, and the plain text below it. */
function wordsOf({ kind, name, detail, notes }: TrustItem): {
  readonly head: string;
  readonly rest: readonly string[];
} {
  switch (kind) {
    case 'command':
    case 'host':
      return { head: detail, rest: notes };
    case 'file':
    case 'python':
      return { head: name, rest: [sentence(detail)] };
    case 'shell':
      return { head: name, rest: [sentence(detail), ...notes] };
    case 'variable':
      return { head: name, rest: notes };
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
