import { type CardField, flag, lines } from './field-kinds';

/** The keys of one tool group in `callboard.yaml`, relative to the group. */
export const groupFields: readonly CardField[] = [
  lines('description', 'Description', { placeholder: 'What the model reads' }),
  flag('active', 'Active', true, 'Offered from the first model call on.'),
  { kind: 'agents', path: ['agents'], label: 'Agents' },
  { kind: 'words', path: ['tools'], label: 'Tools', known: [], placeholder: 'patterns, such as time__*' },
];
