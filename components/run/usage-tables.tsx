'use client';

import { costOfModels, formatCost, usageByModel } from '@/lib/trace/cost';
import { layoutRows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { type UsageRow, usageByInstance, usageByTemplate } from '@/lib/trace/usage';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { costTitle } from './run-facts';

const mostRows = 200;

/** Shows tokens, cost and time per agent and per instance. */
export function UsageTables({ trace, now }: { readonly trace: Trace; readonly now: number }) {
  const instances = usageByInstance(trace, layoutRows(trace, new Set()).lanes, now);
  return (
    <div className="flex flex-col gap-5 p-3">
      <UsageTable caption="Per agent" rows={usageByTemplate(trace, now)} counted total={trace} />
      <UsageTable caption="Per instance" rows={instances} />
    </div>
  );
}

function UsageTable(props: {
  readonly caption: string;
  readonly rows: readonly UsageRow[];
  readonly counted?: boolean;
  readonly total?: Trace;
}) {
  const { caption, rows, counted, total } = props;
  const usage = total?.run.usage;
  const cost = costOfModels(total === undefined ? {} : usageByModel(total));
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-xs [&_td]:px-2 [&_td]:py-1 [&_td]:text-right [&_th]:whitespace-nowrap [&_th]:px-2 [&_th]:py-1 [&_th]:text-right [&_th]:font-medium">
        <caption className="pb-1 text-left font-medium text-2xs text-muted">{caption}</caption>
        <thead className="text-faint">
          <tr className="border-b">
            <th scope="col" className="!pl-0 !text-left">
              {counted ? 'Agent' : 'Instance'}
            </th>
            {counted && <th scope="col">Instances</th>}
            <th scope="col">Calls</th>
            <th scope="col">In</th>
            <th scope="col">Out</th>
            <th scope="col">Cost</th>
            <th scope="col" className="!pr-0">
              Time
            </th>
          </tr>
        </thead>
        <tbody className="text-ink">
          {rows.slice(0, mostRows).map((row) => (
            <tr key={row.key} className="border-ground border-b">
              <th scope="row" title={row.key} className="!pl-0 max-w-48 truncate !text-left !font-normal">
                {row.name}
              </th>
              {counted && <td>{row.instances}</td>}
              <td>{row.usage.modelCalls}</td>
              <td>{formatCount(row.usage.inputTokens)}</td>
              <td>{formatCount(row.usage.outputTokens)}</td>
              <td className="whitespace-nowrap" title={costTitle(row.cost)}>
                {row.usage.modelCalls === 0 ? '–' : formatCost(row.cost)}
              </td>
              <td className="!pr-0 whitespace-nowrap">{formatDuration(row.busy)}</td>
            </tr>
          ))}
        </tbody>
        {usage !== undefined && (
          <tfoot>
            <tr className="font-medium text-ink">
              <th scope="row" className="!pl-0 !text-left">
                Run
              </th>
              <td>{total?.lanes.length}</td>
              <td>{usage.modelCalls}</td>
              <td>{formatCount(usage.inputTokens)}</td>
              <td>{formatCount(usage.outputTokens)}</td>
              <td className="whitespace-nowrap" title={costTitle(cost)}>
                {formatCost(cost)}
              </td>
              <td className="!pr-0" />
            </tr>
          </tfoot>
        )}
      </table>
      {rows.length > mostRows && (
        <p className="pt-1 text-muted text-xs">
          {mostRows} of {rows.length.toLocaleString('en-US')} instances
        </p>
      )}
    </div>
  );
}
