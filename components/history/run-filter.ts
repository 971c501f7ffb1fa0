/** Limits the list of runs. The address bar holds the filter under the same names. */
export interface RunFilter {
  readonly status?: string;
  /** The id of a project. */
  readonly project?: string;
  readonly agent?: string;
  readonly text?: string;
  readonly correlation?: string;
}
export type FilterField = keyof RunFilter;

/** The fields, each with its one operator, in the order of the bar. */
export const filterFields: readonly {
  readonly field: FilterField;
  readonly label: string;
  readonly operator: string;
}[] = [
  { field: 'status', label: 'Status', operator: 'is' },
  { field: 'project', label: 'Project', operator: 'is' },
  { field: 'agent', label: 'Agent', operator: 'contains' },
  { field: 'text', label: 'Message', operator: 'contains' },
  { field: 'correlation', label: 'Correlation id', operator: 'is' },
];

/** Reads a filter from the address. An empty value is kept, because the person is still writing it. */
export function filterFromUrl(params: URLSearchParams): RunFilter {
  const filter: { [Field in FilterField]?: string } = {};
  for (const { field } of filterFields) {
    const value = params.get(field);
    if (value !== null) filter[field] = value;
  }
  return filter;
}

/** Returns query text in the order of the bar, without `?`. With `complete`, empty fields are dropped. */
export function filterToUrl(filter: RunFilter, only?: 'complete'): string {
  const params = new URLSearchParams();
  for (const { field } of filterFields) {
    const value = filter[field];
    if (value !== undefined && (only === undefined || value.trim() !== '')) params.set(field, value);
  }
  return params.toString();
}
