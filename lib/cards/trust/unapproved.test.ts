import { expect, test } from 'vitest';
import { unapprovedSentence } from './unapproved';

const server = (name: string) => ({ kind: 'stdio', name }) as const;

test('what is not approved is named, with places to ask that exist also for a trigger and for a program', () => {
  expect(unapprovedSentence([server('time'), { kind: 'shell', name: 'lead' }])).toBe(
    "No administrator has approved the command of server 'time', the shell of agent 'lead', so nothing was started. " +
      'Who may run the project asks an administrator: with Run in its editor, with Run again on the page of a refused run, or over the API.',
  );
  expect(unapprovedSentence(['a', 'b', 'c', 'd'].map(server))).toContain("server 'c' and 1 more, so");
});
