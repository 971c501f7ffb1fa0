import { useRemembered } from '@/components/ui/remembered';

/** The columns of the list of runs that people choose, in their order. Status, agent and time are always there. */
export const runColumns = {
  project: { label: 'Project', width: 'minmax(0,9rem)' },
  by: { label: 'Started by', width: 'minmax(0,8rem)' },
  model: { label: 'Model', width: 'minmax(0,9rem)' },
  user: { label: 'User', width: 'minmax(0,8rem)' },
  duration: { label: 'Duration', width: '5rem' },
  tokens: { label: 'Tokens', width: '5.5rem' },
  errors: { label: 'Errors', width: '4rem' },
  waited: { label: 'Waited', width: '5rem' },
  cost: { label: 'Cost', width: '7rem' },
} as const;
export type RunColumn = keyof typeof runColumns;

const all = Object.keys(runColumns) as readonly RunColumn[];
const usual: readonly RunColumn[] = ['project', 'duration', 'tokens', 'cost'];

/** Returns the columns that this browser remembers. `by` is among the usual ones if somebody with an account started a listed run. */
export function useRunColumns(hasPeople: boolean) {
  const [kept, keep] = useRemembered('run-columns', '');
  const chosen: ReadonlySet<RunColumn> = new Set(
    kept === ''
      ? [...usual, ...(hasPeople ? (['by'] as const) : [])]
      : all.filter((id) => kept.split(',').includes(id)),
  );
  const toggle = (id: RunColumn) => {
    const next = all.filter((each) => (each === id ? !chosen.has(each) : chosen.has(each)));
    // The empty text stands for the usual columns.
    keep(next.length === 0 ? 'none' : next.join(','));
  };
  return { chosen, toggle, all };
}

/** Returns the widths of the columns of a row, for wide windows and for narrow ones. A narrow row has no column `by`: it shows that below. */
export function columnWidths(chosen: ReadonlySet<RunColumn>): { readonly wide: string; readonly narrow: string } {
  const widths = (ids: readonly RunColumn[]) =>
    ['8rem', 'minmax(9rem,1fr)', ...ids.map((id) => runColumns[id].width), '6.5rem'].join(' ');
  const shown = all.filter((id) => chosen.has(id));
  return { wide: widths(shown), narrow: widths(shown.filter((id) => id !== 'by')) };
}
