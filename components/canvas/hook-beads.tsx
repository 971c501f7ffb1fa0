'use client';

import { Handle, Position } from '@xyflow/react';
import { Ban, Check, SlidersHorizontal, X } from 'lucide-react';
import { memo } from 'react';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import type { NodeId } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { hookPlace } from '@/lib/graph/hook-place';
import { beadsShown, chainWidth } from '@/lib/graph/size';
import { type HookTotal, hookKey } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

/**
 * Shows the hook chain on the wire between the agent and its tools, outermost first. The outgoing handle is behind the last
 * hook, so every wire passes all of them.
 */
export const HookBeads = memo(function HookBeads(props: {
  readonly agent: NodeId;
  readonly beads: readonly ChainEntry[];
  /** Says how far right of the agent its wires start. */
  readonly reach: number;
}) {
  const shown = props.beads.slice(0, beadsShown);
  const hidden = props.beads.length - shown.length;
  const runHooks = props.beads.filter((bead) => bead.origin === 'run').length;
  const width = chainWidth(props.beads.length);
  return (
    <>
      {width > 0 ? (
        <ol
          aria-label="Hooks, outermost first"
          className="absolute top-1/2 left-full flex -translate-y-1/2 items-center gap-1 pl-1"
          style={{ width }}
        >
          <span aria-hidden className="absolute top-1/2 right-0 left-0 h-px bg-line-strong" />
          {shown.map((bead, index) => (
            <Bead
              key={bead.id}
              bead={bead}
              number={index + 1}
              agent={props.agent.slice(props.agent.indexOf(':') + 1)}
              runHooks={runHooks}
            />
          ))}
          {hidden > 0 ? (
            <li className="relative rounded-full bg-hook-soft px-1 text-[10px] text-hook">+{hidden}</li>
          ) : null}
        </ol>
      ) : null}
      <Handle
        type="source"
        position={Position.Right}
        className="cb-handle cb-source"
        style={props.reach === 0 ? undefined : { right: -props.reach }}
      />
    </>
  );
});

function Bead(props: {
  readonly bead: ChainEntry;
  readonly number: number;
  readonly agent: string;
  /**
   * The number of hooks of the chain that come from the run. For a child that does not inherit them, numbers start at the
   * first hook after these.
   */
  readonly runHooks: number;
}) {
  const { bead, number, agent, runHooks } = props;
  const actions = useActions();
  const readProject = useReadProject();
  const name = bead.kind === 'code' ? bead.spec : bead.kind;
  const placed = bead.place;
  const total = useOverlay(
    ({ hooks }) =>
      hooks.get(hookKey(agent, bead.phase, placed, name)) ??
      (placed > runHooks ? hooks.get(hookKey(agent, bead.phase, placed - runHooks, name)) : undefined),
  );
  const phase = bead.phase === 'around' ? '' : `, ${bead.phase}`;
  const missing = bead.missing ? ', file missing' : '';
  const done = total === undefined ? '' : `, ${totalWords(total)}`;
  return (
    <li className="relative">
      <button
        type="button"
        tabIndex={-1}
        className={`nodrag flex size-[18px] items-center justify-center rounded-full border text-[9px] font-semibold leading-none ${
          bead.missing ? 'border-dashed border-bad bg-bad-soft text-bad' : 'border-hook bg-hook-soft text-hook'
        }`}
        title={`${number}. ${bead.spec}${phase}${missing}${done}`}
        aria-label={`Hook ${number}: ${bead.spec}${missing}${done}`}
        onClick={() => {
          if (!bead.missing) actions.openFile(bead.file, hookPlace(readProject().document.folder, bead, agent));
        }}
      >
        {bead.missing ? '!' : <Language bead={bead} />}
      </button>
      {total !== undefined && <Verdict total={total} />}
    </li>
  );
}

/** Shows the language of the hook, or that it needs no code. */
function Language({ bead }: { readonly bead: ChainEntry }) {
  if (bead.kind !== 'code') return <SlidersHorizontal aria-hidden className="size-2.5" />;
  return <span aria-hidden>{/\.(py|ts|js)$/.exec(bead.file)?.[1] ?? 'fn'}</span>;
}

/** Shows below a hook the time of its calls, and whether the calls got through. */
function Verdict({ total }: { readonly total: HookTotal }) {
  const Icon = total.failed > 0 ? X : total.stopped > 0 ? Ban : Check;
  const ink = total.failed > 0 ? 'text-bad' : total.stopped > 0 ? 'text-warn' : 'text-ok';
  return (
    <span
      aria-hidden
      className="-translate-x-1/2 pointer-events-none absolute top-full left-1/2 flex flex-col items-center whitespace-nowrap text-[8px] text-muted leading-tight tabular"
    >
      <Icon className={`size-2.5 ${ink}`} strokeWidth={3} />
      {shortTime(total.time / total.calls)}
    </span>
  );
}

/** Writes a duration as short as possible, because there is little room below a hook. */
function shortTime(us: number): string {
  if (us < 1000) return '0ms';
  return us < 99_500 ? `${Math.round(us / 1000)}ms` : `${(us / 1_000_000).toFixed(us < 9_950_000 ? 1 : 0)}s`;
}

function totalWords({ calls, stopped, failed, time }: HookTotal): string {
  const parts = [calls === 1 ? '1 call' : `${calls} calls`, `${formatDuration(time / calls)} each`];
  if (stopped > 0) parts.push(`${stopped} stopped`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}
