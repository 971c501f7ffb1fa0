/** What the list of runs can be sorted by, with its words. Without a sort the list has groups, the newest first. */
export const runSorts = {
  time: 'Time',
  status: 'Status',
  agent: 'Agent',
  project: 'Project',
  by: 'Started by',
  model: 'Model',
  user: 'User',
  duration: 'Duration',
  tokens: 'Tokens',
  cost: 'Cost',
  errors: 'Errors',
  waited: 'Waited',
} as const;
export type RunSortField = keyof typeof runSorts;

export interface RunSort {
  readonly field: RunSortField;
  readonly descending: boolean;
}

const fields = Object.keys(runSorts) as readonly RunSortField[];

/** Reads a sort as an address has it: `cost`, or `-cost` for the highest first. Returns `undefined` for any other text. */
export function readSort(text: string): RunSort | undefined {
  const field = fields.find((each) => each === text.replace(/^-/, ''));
  return field === undefined ? undefined : { field, descending: text.startsWith('-') };
}

export function sortText({ field, descending }: RunSort): string {
  return `${descending ? '-' : ''}${field}`;
}

/** The correlation id of the one group in which a sorted list comes. */
export const sortedGroup = '';
