'use client';

import { useId, useState } from 'react';
import { Select } from '@/components/ui/select';
import type { Analysis } from '@/lib/trace/analysis/analyse';
import { formatDuration, formatShare } from '@/lib/trace/wording';

/** Shows how long calls waited for permits, and how long the run would have taken with another `max_parallel`. */
export function WhatIfView({ analysis }: { readonly analysis: Analysis }) {
  const agents = analysis.whatIf.agents.filter(({ lengths }) => lengths.length > 0);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [place, setPlace] = useState<number | undefined>(undefined);
  const id = useId();
  const agent = agents.find(({ name }) => name === chosen) ?? agents[0];
  if (agent === undefined) return null;
  const { lengths, most, largest, waiting, waited, longestWait, calls } = agent;
  const recorded = Math.max(
    0,
    lengths.findLastIndex(({ limit }) => limit <= most),
  );
  const at = Math.min(place ?? recorded, lengths.length - 1);
  const { limit, length } = lengths[at] ?? { limit: most, length: analysis.length };
  const saved = analysis.length - length;
  return (
    <section aria-label="Queueing" className="min-w-0">
      <h3 className="font-medium text-ink text-xs">Queueing and max_parallel</h3>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs">
        {agents.length > 1 && (
          <Select
            size="sm"
            aria-label="Agent"
            className="!w-44"
            value={agent.name}
            onValueChange={(name) => {
              setChosen(name);
              setPlace(undefined);
            }}
            options={agents.map(({ name }) => ({ value: name, label: name }))}
          />
        )}
        <span className="text-muted">
          {agents.length === 1 && <span className="text-ink">{agent.name} </span>}
          {waiting === 0
            ? `called ${calls} children, ${most} at once at most; none waited for a permit`
            : `called ${calls} children, ${most} at once at most; ${waiting} waited ${formatDuration(waited)} in total, ${formatDuration(longestWait)} at most`}
        </span>
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <label htmlFor={id} className="text-muted">
          If <span className="font-mono">max_parallel</span> were <span className="text-ink tabular-nums">{limit}</span>
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={lengths.length - 1}
          step={1}
          value={at}
          aria-valuetext={`${limit}: ${formatDuration(length)}`}
          onChange={(event) => setPlace(Number(event.target.value))}
          className="h-4 w-48 max-w-full cursor-pointer accent-accent"
        />
        <output htmlFor={id} className="text-ink tabular-nums">
          the run would take {formatDuration(length)}
          <span className="text-muted">
            {Math.abs(saved) < 1
              ? ' (as recorded)'
              : ` (${formatDuration(Math.abs(saved))} or ${formatShare(Math.abs(saved), analysis.length)} ${saved > 0 ? 'less' : 'more'})`}
          </span>
        </output>
      </div>
      <p className="mt-1 text-2xs text-faint">
        From recorded durations, 1 to {largest} at once. Shared instances, pools and the limits of servers are not
        counted.
      </p>
    </section>
  );
}
