'use client';

import { ArrowLeftRight, Link2, Repeat2 } from 'lucide-react';
import Link from 'next/link';
import { RunFacts, stateOf } from '@/components/run/run-facts';
import type { LiveTrace } from '@/components/run/use-run';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { IconButton } from '@/components/ui/icon-button';
import { VisibleText } from '@/components/ui/visible-text';
import type { RunInfo } from '@/lib/client/run-info';
import type { Figures } from '@/lib/trace/figures';
import { deltaCost, deltaCount, deltaTime } from './compare-words';
import { SideMark } from './side-mark';

export interface HeadedRun {
  readonly info: RunInfo;
  readonly run: LiveTrace;
}

export interface CompareHeadProps {
  readonly a: HeadedRun;
  readonly b: HeadedRun;
  /** The figures of b minus those of a. */
  readonly delta: Figures;
  readonly onSwap: () => void;
  /** Asks for another run in the place of one. */
  readonly onChoose: (side: 'a' | 'b') => void;
  readonly address: () => string;
}

/** Names both runs and says how much they differ as a whole. */
export function CompareHead({ a, b, delta, onSwap, onChoose, address }: CompareHeadProps) {
  return (
    <header className="shrink-0 border-b bg-surface px-3 py-2 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="font-semibold text-ink text-lg">Compare runs</h1>
        <Deltas delta={delta} />
        <span className="flex-1" />
        <div className="flex items-center gap-2">
          <Button size="sm" icon={<ArrowLeftRight aria-hidden className="size-3.5" />} onClick={onSwap}>
            Swap
          </Button>
          <CopyButton text={address} label="Copy link to this view" icon={<Link2 aria-hidden />} />
        </div>
      </div>
      <ul className="mt-1 grid gap-x-4 gap-y-1 lg:grid-cols-2">
        <RunCard side="a" {...a} onChoose={onChoose} />
        <RunCard side="b" {...b} onChoose={onChoose} />
      </ul>
    </header>
  );
}

function RunCard(props: HeadedRun & { readonly side: 'a' | 'b'; readonly onChoose: CompareHeadProps['onChoose'] }) {
  const { side, info, run, onChoose } = props;
  const letter = side.toUpperCase();
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5" aria-label={`Run ${letter}`}>
      <SideMark side={side} />
      <Link
        href={`/r/${info.id}`}
        className="min-w-0 truncate font-medium text-accent text-sm underline-offset-2 hover:underline"
      >
        {run.trace.run.entryAgent || info.entryAgent || 'Run'}
      </Link>
      <RunFacts run={run} status={stateOf(run, info.status)} info={info} />
      <span className="truncate text-muted text-xs">
        <VisibleText text={info.projectName} />
      </span>
      <span className="text-muted text-xs" title={`The files that this run was started with: tree ${info.treeHash}`}>
        Files <span className="font-mono text-2xs">{info.treeHash.slice(0, 8)}</span>
      </span>
      <IconButton
        size="sm"
        label={`Choose another run for ${letter}`}
        icon={<Repeat2 aria-hidden />}
        onClick={() => onChoose(side)}
      />
    </li>
  );
}

/** How much b differs from a. More of something is not good or bad by itself, so there is no colour but for errors. */
function Deltas({ delta }: { readonly delta: Figures }) {
  const items: readonly (readonly [string, string])[] = [
    ['Time', deltaTime(delta.time)],
    ['Tokens', deltaCount(delta.input + delta.output)],
    ['Cost', deltaCost(delta.cost)],
    ['Model calls', deltaCount(delta.models)],
    ['Tool calls', deltaCount(delta.tools)],
    ['Errors', deltaCount(delta.errors)],
  ];
  return (
    <dl aria-label="B compared with A" className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs tabular-nums">
      {items.map(([name, text]) => (
        <div key={name} className="flex gap-1">
          <dt className="text-muted">{name}</dt>
          <dd className={name === 'Errors' && delta.errors > 0 ? 'font-medium text-bad' : 'text-ink'}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
