'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesGantt, ChartSpline, Trash2, Upload } from 'lucide-react';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { callAction, unwrapAction } from '@/app/call-action';
import { projectNames } from '@/app/project-names';
import { chooseUpTo, noneChosen, onlyListed, toggleAll, toggleRun } from '@/components/history/chosen-runs';
import type { ChosenBarProps, RunDeletion } from '@/components/history/delete-runs';
import { FilterBar } from '@/components/history/filter-bar';
import { ImportRuns } from '@/components/history/import-runs';
import { ListOrder } from '@/components/history/list-order';
import { RunChart } from '@/components/history/run-chart';
import { useRunColumns } from '@/components/history/run-columns';
import { RunList } from '@/components/history/run-list';
import type { SavedFilter } from '@/components/history/saved-filter';
import { SavedFilters } from '@/components/history/saved-filters';
import type { ProjectBarProps } from '@/components/project-bar/project-bar';
import { ProjectPage } from '@/components/project-bar/project-page';
import { Page, type PageProps } from '@/components/shell/page';
import { Button, buttonClass } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { EmptyState } from '@/components/ui/empty-state';
import { later, useEver } from '@/components/ui/later';
import { LaterMenu } from '@/components/ui/later-menu';
import { nearName } from '@/lib/base/near-name';
import { editorHref, runsOfProjectHref } from '@/lib/client/project-address';
import { haveStarters } from '@/lib/client/run-info';
import { completeRunNames, readRunChart } from '@/lib/client/runs';
import type { ChartColumn } from '@/lib/trace/run-chart';
import { clausesOf, filterParts, queryOf, type RunClause, unknownParts } from '@/lib/trace/run-filter';
import { type RunSort, readSort, runSorts, sortText } from '@/lib/trace/run-sort';
import { countChosen, deleteFilter, removeChosen, restoreDeleted, saveFilter } from './actions';
import { type OpenedRuns, useRunPages } from './use-run-pages';

const ChosenBar = later(async () => (await import('@/components/history/delete-runs')).ChosenBar, null);
const ExportRunsItems = later(
  async () => (await import('@/components/history/export-runs-items')).ExportRunsItems,
  ({ trigger }) => trigger,
);

export interface RunsClientProps {
  /** The first page for the address that was opened. */
  readonly first: OpenedRuns['page'];
  /**
   * When the page was read, in epoch milliseconds. The duration of a running run is computed from it, so that server and
   * browser show the same.
   */
  readonly readAt: number;
  readonly saved: readonly SavedFilter[];
  /** Whether the person may import runs without naming a project, as the dialog does. */
  readonly imports: boolean;
  /** Whether the person may delete runs anywhere. */
  readonly deletes: boolean;
  /** The project whose runs are shown, with its bar; all runs by default. */
  readonly of?: Pick<ProjectBarProps, 'project' | 'access'>;
}

function dashboardOfProject(project: string): string {
  return `/runs/dashboard?${new URLSearchParams({ project })}`;
}

const filterNames = { projects: projectNames, complete: completeRunNames };

const deletion: RunDeletion = {
  count: (choice) => unwrapAction(() => countChosen(choice)),
  remove: (choice) => unwrapAction(() => removeChosen(choice)),
  restore: (deletions) => unwrapAction(() => restoreDeleted({ deletions })),
};

export function RunsClient({ first, readAt, saved, imports, deletes, of }: RunsClientProps) {
  const { clauses, unknown, asked, saving, sort, show } = useFilter(of);
  const ordered = sort === undefined ? asked : `${asked}&sort=${sortText(sort)}`;
  const list = useRunPages(ordered, { filter: ordered, page: first, readAt });
  const { groups, hasMore } = list;
  const columns = useRunColumns(haveStarters(groups));
  const listed = groups.flatMap(({ runs }) => runs.map(({ id }) => id));
  const [kept, setChosen] = useState(noneChosen);
  const chosen = onlyListed(kept, listed);
  const isAllListed = listed.length > 0 && chosen.ids.size === listed.length;
  const open = (query: string) => {
    setChosen(noneChosen);
    show(query);
  };
  const setClauses = (next: readonly RunClause[]) => open(queryOf(distinct(next)));
  return (
    <Frame
      of={of}
      title="Runs"
      description="Runs with the same correlation id are grouped."
      actions={
        <>
          {imports && <ImportRuns onImported={list.refresh} />}
          <MoreActions bin={deletes} of={of} query={asked} disabled={groups.length === 0} />
        </>
      }
    >
      <div className="mb-4">
        <FilterBar clauses={clauses} onChange={setClauses} names={filterNames}>
          <Saved first={saved} query={saving} onOpen={open} />
        </FilterBar>
      </div>
      {list.error !== null && <Warning>{list.error.message}</Warning>}
      {list.error === null && unknown.length > 0 && <Warning>{unknownWords(unknown)}</Warning>}
      <OverTime
        query={asked}
        onChoose={(column) => setClauses([...clauses.filter(({ field }) => field !== 'time'), ...during(column)])}
      />
      {(groups.length > 0 || sort !== undefined) && (
        <div className="mb-1 flex items-center gap-1 pl-[5px] text-muted text-xs">
          <Checkbox
            label="Select all listed runs"
            checked={isAllListed ? true : chosen.ids.size > 0 ? 'mixed' : false}
            onToggle={() => setChosen(toggleAll(chosen, listed))}
          />
          <p role="status">{sort === undefined ? shown(groups.length, hasMore) : sortedWords(sort, listed.length)}</p>
          <ListOrder sort={sort} onSort={(next) => show(saving, next ?? null)} columns={columns} />
        </div>
      )}
      {groups.length > 0 && (
        <RunList
          groups={groups}
          now={list.readAt}
          chosen={chosen.ids}
          columns={columns.chosen}
          onChoose={(id, range) => setChosen(range ? chooseUpTo(chosen, id, listed) : toggleRun(chosen, id))}
        />
      )}
      {groups.length === 0 && list.isLoaded && !hasMore && (
        <Nothing filtered={clauses.length > 0} of={of} onClear={() => open('')} />
      )}
      {hasMore && (
        <div className="mt-4 flex items-center gap-3 text-muted text-xs">
          {groups.length === 0 && <p role="status">None of the newest runs matches.</p>}
          <Button size="sm" busy={list.isLoadingMore} onClick={list.showMore}>
            {groups.length === 0 ? 'Search older runs' : 'Show more'}
          </Button>
        </div>
      )}
      <Chosen
        chosen={chosen.ids}
        query={asked}
        isAllListed={isAllListed}
        deletion={deletes ? deletion : undefined}
        onClear={() => setChosen(noneChosen)}
        onDeleted={list.refresh}
      />
    </Frame>
  );
}

function Chosen(props: ChosenBarProps) {
  const wasChosen = useEver(props.chosen.size > 0);
  return wasChosen ? <ChosenBar {...props} /> : null;
}

/** Returns the filter in the address: its parts, what the server is asked for, what is saved under a name, and how to show another. */
function useFilter(of: RunsClientProps['of']) {
  const router = useRouter();
  const params = useSearchParams();
  const read = clausesOf(params.entries());
  // On the page of a project the project is no part of the filter that people see.
  const only = of === undefined ? [] : [projectClause(of.project.id)];
  const clauses = (read.ok ? read.value : []).filter(({ field }) => of === undefined || field !== 'project');
  // A filter that cannot be read is sent as it is, so that the server says what is wrong.
  const asked = read.ok ? queryOf([...only, ...clauses]) : params.toString();
  const home = of === undefined ? '/runs' : runsOfProjectHref(of.project.id);
  const sort = readSort(params.get('sort') ?? '');
  const show = (query: string, order: RunSort | null = sort ?? null) => {
    // A saved filter of another project leads to the list of all runs.
    if (of !== undefined && namesOther(query, of.project.id)) return router.push(`/runs?${query}`);
    const parts = [query, order === null ? '' : `sort=${sortText(order)}`].filter((part) => part !== '');
    window.history.pushState(null, '', parts.length === 0 ? home : `${home}?${parts.join('&')}`);
  };
  const unknown = unknownParts(params.keys(), ['limit', 'after', 'sort']);
  return { clauses, unknown, asked, sort, saving: read.ok ? queryOf(clauses) : asked, show };
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
      {children}
    </p>
  );
}

/** Names the parts of the address that are not understood, so that nobody thinks that they limit the list. */
function unknownWords(names: readonly string[]): string {
  const [first = ''] = names;
  const near = nearName(first, filterParts);
  const listed = names.map((name) => `“${name.slice(0, 80)}”`).join(', ');
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  return `The address has ${listed}, which no filter is called. The list is not filtered by it.${hint}`;
}

/** Shows the list as a page of its project, or of the app. */
function Frame({ of, ...page }: PageProps & Pick<RunsClientProps, 'of'>) {
  return of === undefined ? <Page {...page} /> : <ProjectPage {...of} current="runs" {...page} />;
}

function projectClause(id: string): RunClause {
  return { field: 'project', operator: 'is', value: id };
}

/** True if a filter is for another project than this one. */
function namesOther(query: string, project: string): boolean {
  const read = clausesOf(new URLSearchParams(query));
  return read.ok && read.value.some(({ field, value }) => field === 'project' && value !== project);
}

function distinct(clauses: readonly RunClause[]): readonly RunClause[] {
  return [...new Map(clauses.map((clause) => [queryOf([clause]), clause] as const)).values()];
}

/** Returns the clauses for runs that were started in a column of the chart. */
function during({ from, to }: ChartColumn): readonly RunClause[] {
  return [
    { field: 'time', operator: 'after', value: new Date(from).toISOString() },
    { field: 'time', operator: 'before', value: new Date(to).toISOString() },
  ];
}

const chartMs = 6_000;

function OverTime({ query, onChoose }: { readonly query: string; readonly onChoose: (column: ChartColumn) => void }) {
  const { data } = useQuery({
    queryKey: ['run-chart', query],
    queryFn: () => readRunChart(query),
    placeholderData: keepPreviousData,
    refetchInterval: chartMs,
    retry: false,
  });
  // Without an answer the list below still says what is wrong.
  return data === undefined ? null : <RunChart chart={data} onChoose={onChoose} />;
}

interface ExportMenuProps {
  readonly query: string;
  readonly disabled: boolean;
}

function MoreActions({ bin, of, ...menu }: ExportMenuProps & Pick<RunsClientProps, 'of'> & { readonly bin: boolean }) {
  return (
    <>
      <Link href={of === undefined ? '/runs/dashboard' : dashboardOfProject(of.project.id)} className={buttonClass()}>
        <ChartSpline aria-hidden className="size-4" />
        Dashboard
      </Link>
      {bin && (
        <Link href="/runs/bin" className={buttonClass()}>
          <Trash2 aria-hidden className="size-4" />
          Bin
        </Link>
      )}
      <ExportMenu {...menu} />
    </>
  );
}

function ExportMenu({ query, disabled }: ExportMenuProps) {
  const button = (
    <Button disabled={disabled} icon={<Upload aria-hidden className="size-4" />}>
      Export
    </Button>
  );
  return (
    <LaterMenu button={button} load={ExportRunsItems.load}>
      {(trigger) => <ExportRunsItems query={query} trigger={trigger} />}
    </LaterMenu>
  );
}

interface SavedProps {
  readonly first: readonly SavedFilter[];
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

function Saved({ first, query, onOpen }: SavedProps) {
  const [saved, setSaved] = useState(first);
  const change = async (ask: Parameters<typeof callAction<readonly SavedFilter[]>>[0]) => {
    const answer = await callAction(ask);
    if (answer.ok) setSaved(answer.value);
    return answer.ok ? undefined : answer.message;
  };
  return (
    <SavedFilters
      saved={saved}
      query={query}
      onOpen={onOpen}
      onSave={(name) => change(() => saveFilter({ name, query }))}
      onDelete={(name) => change(() => deleteFilter({ name }))}
    />
  );
}

/** Says in which order how many runs are shown. Names are compared among the newest runs only. */
function sortedWords({ field, descending }: RunSort, runs: number): string {
  return `${runs} ${runs === 1 ? 'run' : 'runs'} by ${runSorts[field].toLowerCase()}, ${descending ? 'highest' : 'lowest'} first`;
}

/** Says how much of the list is shown. While there are more pages, only the newest runs have been searched. */
function shown(groups: number, hasMore: boolean): string {
  const counted = `${groups} ${groups === 1 ? 'group' : 'groups'}`;
  return hasMore ? `The newest ${counted}; there may be more` : counted;
}

function Nothing(props: {
  readonly filtered: boolean;
  readonly of: RunsClientProps['of'];
  readonly onClear: () => void;
}) {
  const { filtered, of, onClear } = props;
  const icon = <ChartNoAxesGantt aria-hidden />;
  return filtered ? (
    <EmptyState icon={icon} title="No run matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      Remove a part of the filter to see more.
    </EmptyState>
  ) : (
    <EmptyState
      icon={icon}
      title="No runs yet"
      action={
        <Link href={of === undefined ? '/' : editorHref(of.project.id, 'main')} className={buttonClass('primary')}>
          {of === undefined ? 'Open a project' : 'Open the editor'}
        </Link>
      }
    >
      {of === undefined ? 'Run a project' : 'Run the project'} and it appears here with its status, time and tokens.
    </EmptyState>
  );
}
