'use client';

import { Command } from 'cmdk';
import { ChartNoAxesGantt, FileText, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { KindIcon } from '@/components/marks/kind-icon';
import { Keys } from '@/components/ui/kbd';
import { VisibleText } from '@/components/ui/visible-text';
import type { RunInfo } from '@/lib/client/run-info';
import type { GraphNode } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { commandLooks } from './command-frame';

/** The things that the palette can go to, and what it can do. */
export type PaletteRow =
  | { readonly is: 'action'; readonly label: string; readonly keys: string; readonly act: () => void }
  | { readonly is: 'node'; readonly node: GraphNode }
  | { readonly is: 'hook'; readonly entry: ChainEntry; readonly file: string; readonly agent: string }
  | { readonly is: 'file'; readonly path: string }
  | { readonly is: 'run'; readonly run: RunInfo };

/** Returns the text that is searched. */
export function textOfRow(row: PaletteRow): string {
  switch (row.is) {
    case 'action':
      return row.label;
    case 'node':
      return `${row.node.name} ${row.node.kind}`;
    case 'hook':
      return `${row.entry.name} ${row.entry.spec} hook of ${row.agent}`;
    case 'file':
      return `${row.path} file`;
    case 'run':
      return `${row.run.message} run ${row.run.status} ${row.run.entryAgent ?? ''}`;
  }
}

export function keyOfRow(row: PaletteRow): string {
  switch (row.is) {
    case 'action':
      return `action ${row.label}`;
    case 'node':
      return row.node.id;
    case 'hook':
      return `hook ${row.file} ${row.entry.id}`;
    case 'file':
      return `file ${row.path}`;
    case 'run':
      return `run ${row.run.id}`;
  }
}

/** One row, which can be chosen. */
export function PaletteItem({ row, onChoose }: { readonly row: PaletteRow; readonly onChoose: () => void }) {
  return (
    <Command.Item value={keyOfRow(row)} onSelect={onChoose} className={commandLooks.row}>
      <RowContent row={row} />
    </Command.Item>
  );
}

function RowContent({ row }: { readonly row: PaletteRow }) {
  switch (row.is) {
    case 'action':
      return (
        <>
          <span className="flex-1">{row.label}</span>
          {row.keys === '' ? null : <Keys keys={row.keys} />}
        </>
      );
    case 'node':
      return <Place icon={<KindIcon node={row.node} size={18} />} name={row.node.name} note={row.node.kind} />;
    case 'hook':
      return (
        <Place
          icon={<Webhook aria-hidden className="size-4 shrink-0 text-hook" />}
          name={row.entry.kind === 'code' ? row.entry.functionName : row.entry.spec}
          note={`hook of ${row.agent}`}
        />
      );
    case 'file':
      return (
        <Place
          icon={<FileText aria-hidden className="size-4 shrink-0 text-faint" />}
          name={row.path}
          note="file"
          isCode
        />
      );
    case 'run':
      return (
        <Place
          icon={<ChartNoAxesGantt aria-hidden className="size-4 shrink-0 text-faint" />}
          name={row.run.message.trim() === '' ? 'Run without a message' : row.run.message}
          note={`run, ${row.run.status}`}
        />
      );
  }
}

function Place(props: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly note: string;
  readonly isCode?: boolean;
}) {
  return (
    <>
      {props.icon}
      <span className={`min-w-0 flex-1 truncate ${props.isCode ? 'font-mono text-xs' : ''}`}>
        <VisibleText text={props.name} />
      </span>
      <span className="max-w-40 shrink-0 truncate text-faint text-xs">{props.note}</span>
    </>
  );
}
