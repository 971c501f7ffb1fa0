'use client';

import { Ban, Check, X } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { VisibleText } from '@/components/ui/visible-text';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { type HookTotal, hookKey as totalKey } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { HookIcon, hookColours, hookLabel, hookTitle } from './hook-look';

/** One hook on the wire: its language and name, and during a run its time and whether it lets calls through. */
export function HookBead(props: {
  readonly agent: string;
  readonly entry: ChainEntry;
  /** The width of a bead with a name. A bead without one is a circle. */
  readonly width: number | undefined;
  /**
   * The number of hooks of the chain that come from the run. For a child that does not inherit them, numbers start at the
   * first hook after these.
   */
  readonly runHooks: number;
  readonly dragged: boolean;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onMenu: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onShow: () => void;
  readonly onOpen: () => void;
}) {
  const { agent, entry, width, runHooks, dragged } = props;
  const name = entry.kind === 'code' ? entry.spec : entry.kind;
  const { phase, placeInRun: place } = entry;
  const total = useOverlay(
    ({ hooks }) =>
      hooks.get(totalKey(agent, phase, place, name)) ??
      (place > runHooks ? hooks.get(totalKey(agent, phase, place - runHooks, name)) : undefined),
  );
  const done = total === undefined ? '' : `, ${totalWords(total)}`;
  const shape = `${phase === 'around' ? 'rounded-full' : 'rounded-sm'} ${width === undefined ? 'justify-center' : 'px-1.5'}`;
  return (
    <span className="relative flex">
      <button
        type="button"
        data-bead={entry.id}
        tabIndex={props.tabIndex}
        className={`relative flex h-5 touch-none items-center gap-1 border cb-bead leading-none outline-none focus-visible:ring-2 focus-visible:ring-accent ${shape} ${hookColours(entry)} ${
          phase === 'around' ? 'cursor-grab active:cursor-grabbing' : 'cursor-pointer'
        } ${dragged ? 'opacity-40' : ''}`}
        style={{ width: width ?? 20 }}
        title={`${hookTitle(entry)}${done}`}
        aria-label={`${hookLabel(entry)}${done}`}
        onFocus={props.onFocus}
        onPointerDown={props.onPointerDown}
        onContextMenu={props.onMenu}
        onKeyDown={props.onKeyDown}
        onClick={(event) => {
          event.stopPropagation();
          props.onShow();
        }}
        onDoubleClick={(event) => {
          event.stopPropagation();
          props.onOpen();
        }}
      >
        <HookIcon entry={entry} />
        {entry.off && width !== undefined ? <OffWord /> : null}
        {width === undefined ? null : (
          <span className="cb-bead-name min-w-0 flex-1 truncate text-left">
            <VisibleText text={entry.name} />
          </span>
        )}
      </button>
      {total === undefined ? null : <Verdict total={total} hasTime={width !== undefined} />}
    </span>
  );
}

/** The word at a hook that is off. CSS draws it, because the accessible name has the word at its end. */
function OffWord() {
  return (
    <span
      aria-hidden
      data-mark="off"
      className="cb-bead-off shrink-0 font-semibold leading-none before:content-[attr(data-mark)]"
    />
  );
}

/** Shows whether calls got through, and below a named bead the time of one call. A round bead has no room for the time. */
function Verdict({ total, hasTime }: { readonly total: HookTotal; readonly hasTime: boolean }) {
  const Icon = total.failed > 0 ? X : total.stopped > 0 ? Ban : Check;
  const ink = total.failed > 0 ? 'text-bad' : total.stopped > 0 ? 'text-warn' : 'text-ok';
  return (
    <span
      aria-hidden
      className="-translate-x-1/2 pointer-events-none absolute top-full left-1/2 flex items-center gap-0.5 whitespace-nowrap pt-0.5 cb-bead-time text-muted leading-none tabular"
    >
      <Icon className={`size-2.5 ${ink}`} strokeWidth={3} />
      {hasTime ? shortTime(total.time / total.calls) : null}
    </span>
  );
}

/** Writes a duration as short as possible, because there is little room below a hook. */
function shortTime(us: number): string {
  if (us < 1000) return '0ms';
  return us < 99_500 ? `${Math.round(us / 1000)}ms` : `${(us / 1_000_000).toFixed(us < 9_950_000 ? 1 : 0)}s`;
}

function totalWords({ calls, stopped, failed, time, own }: HookTotal): string {
  const parts = [
    calls === 1 ? '1 call' : `${calls} calls`,
    `${formatDuration(own / calls)} own time each, ${formatDuration(time / calls)} with what it wraps`,
  ];
  if (stopped > 0) parts.push(`${stopped} stopped`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}
