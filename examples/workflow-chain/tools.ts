const changes = [
  { kind: 'feature', text: 'Search finds words in attachments' },
  { kind: 'internal', text: 'The build uses a newer compiler' },
  { kind: 'fix', text: 'Reminders arrive on time after a change of the clock' },
];

/** The changes of a release, one on each line. Always the same, so that the sample needs no network. */
export function changesOf(args: { release: string }) {
  return changes.map(({ kind, text }) => `${args.release} ${kind}: ${text}`).join('\n');
}
